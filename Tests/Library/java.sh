#!/bin/sh
# Whether the example in Java can be compiled and does what it says.
# Debian: default-jdk-headless libjna-java libgoogle-gson-java.
#
#   Tests/Library/java.sh [FOLDER]
#
# FOLDER is that of run.sh. Where something of Java is not installed, it says so, and the status is 77.
set -eu
cd "$(dirname "$0")/../.."
library=$(cd "${1:-.build/release/library}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

jars=/usr/share/java
for needed in "$(command -v javac || echo javac)" "$jars/jna.jar" "$jars/gson.jar"; do
  [ -e "$needed" ] || {
    echo "java: $needed is not installed"
    exit 77
  }
done
export CLASSPATH="$jars/jna.jar:$jars/gson.jar:$work"
Scripts/java-bindings.py "$library/typeset.h" | cmp - Examples/java/TypesetLibrary.java || {
  echo "java: Scripts/java-bindings.py > Examples/java/TypesetLibrary.java was not run for this typeset.h" >&2
  exit 1
}
javac -Xlint:all -Werror -d "$work" Examples/java/*.java Tests/Library/LibraryTests.java
java "-Djna.library.path=$library" LibraryTests
Tests/Library/example.sh java "-Djna.library.path=$library" Reader
echo "java: $(javac -version 2>&1): the example does what it says"
