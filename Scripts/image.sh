#!/bin/sh
# Makes a container image of typeset without a registry: a root file system by debootstrap, with the package, faces for all scripts and
# all hyphenation patterns; of that an image by buildah, from scratch.
#
#   Scripts/image.sh PACKAGE.deb OUT    OUT/typeset-VERSION-image.tar.gz, OUT/typeset-VERSION-rootfs.tar.gz, and the list
#                                       of its packages, OUT/typeset-VERSION.spdx.json
#
# The package is of the release of Debian that this runs on, and so is the image. Without buildah the root file system is all there
# is. `gunzip -c FILE | podman load`, or docker, takes the image. Needs root, debootstrap, python3; APT_OPTIONS goes to apt-get.
set -eu
export LC_ALL=C
umask 022

package=$(readlink -f "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
. Scripts/packages.sh
version=$(Scripts/version.sh)

fail() {
  echo "image: $*" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || fail "root is needed: sudo -E $0 ..."
command -v debootstrap >/dev/null 2>&1 || fail "debootstrap is missing; on Debian: apt-get install debootstrap buildah"
suite=$(. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME") || fail "images are made on Debian"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
root=$work/root
finish() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT INT TERM

echo "image: a root file system of $suite"
debootstrap --variant=minbase "$suite" "$root" >"$work/log" 2>&1 || {
  tail "$work/log" >&2
  fail "debootstrap failed"
}
cat >"$root/etc/dpkg/dpkg.cfg.d/slim" <<'END'
path-exclude=/usr/share/doc/*
path-include=/usr/share/doc/*/copyright
path-exclude=/usr/share/man/*
path-exclude=/usr/share/locale/*
path-exclude=/usr/share/info/*
END
mount -t proc proc "$root/proc"
cp "$package" "$root/typeset.deb"
# What the package recommends, and the faces and patterns that it leaves to the reader.
recommended=$(dpkg-deb -f "$package" Recommends | tr -d ',')
# shellcheck disable=SC2086  # Lists of names.
DEBIAN_FRONTEND=noninteractive chroot "$root" sh -eu -c '
  apt-get $0 update -q
  apt-get $0 install -y -q --no-install-recommends ./typeset.deb "$@"
  apt-get clean
  rm -rf /var/lib/apt/lists/* /typeset.deb
  useradd --uid 10001 --user-group --no-create-home --home-dir /books --shell /usr/sbin/nologin reader
  mkdir -p /books' "${APT_OPTIONS:--q}" $recommended fonts-noto-color-emoji fonts-linuxlibertine fonts-liberation $hyphenation \
  >"$work/log" 2>&1 || {
  tail "$work/log" >&2
  fail "the packages could not be installed"
}
find "$root/usr/share/doc" -mindepth 2 ! -name copyright ! -type d -delete
find "$root/usr/share/doc" -type d -empty -delete
rm -rf "$root"/usr/share/man/* "$root"/usr/share/locale/* "$root"/usr/share/info/* "$root"/var/log/* "$root"/var/cache/apt/* \
  "$root"/var/cache/debconf/* "$root"/var/cache/ldconfig/* "$root"/var/lib/dpkg/*-old "$root"/etc/machine-id "$root"/etc/resolv.conf \
  "$root"/etc/hostname

# The indexes of fonts and patterns are made here, where a container that can write nowhere finds them. They hold as long as the
# times of the files do.
find "$root" -xdev -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
printf '<!DOCTYPE html><html lang=en><p style="hyphens: auto">Typesetting 骨 कि' >"$root/tmp/warm.html"
chroot "$root" env XDG_CACHE_HOME=/var/cache HOME=/books bookset /tmp/warm.html --pdf /dev/null --quiet || fail "the program does not run"
rm -rf "$root/tmp/warm.html"
chmod -R a+rX "$root/var/cache"
umount "$root/proc"

sbom=$out/typeset-$version.spdx.json
if syft version 2>/dev/null | grep -q '^Application: *syft'; then syft -q "dir:$root" -o spdx-json >"$sbom"; else Scripts/sbom.py "$root" "$version" >"$sbom"; fi
install -D -m 644 "$sbom" "$root/usr/share/typeset/sbom.spdx.json"
find "$root" -xdev -newermt "@$SOURCE_DATE_EPOCH" ! -path "$root/var/cache/*" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
tar -C "$root" --sort=name --numeric-owner --one-file-system -c . >"$work/rootfs.tar"
gzip -9n <"$work/rootfs.tar" >"$out/typeset-$version-rootfs.tar.gz"
echo "$out/typeset-$version-rootfs.tar.gz"

command -v buildah >/dev/null 2>&1 || {
  echo "image: buildah is not installed: the root file system is all there is"
  exit
}
container=$(buildah from --format docker scratch)
buildah add -q "$container" "$work/rootfs.tar" / >/dev/null
buildah config \
  --user 10001:10001 --workingdir /books --entrypoint '["bookset"]' --cmd '["--help"]' \
  --env XDG_CACHE_HOME=/var/cache --env HOME=/books --env LANG=C.UTF-8 \
  --label "org.opencontainers.image.title=typeset" \
  --label "org.opencontainers.image.description=$(sed -n 's/^Description: //p' Scripts/debian/typeset.description)" \
  --label "org.opencontainers.image.version=$version" \
  --label "org.opencontainers.image.revision=$(git rev-parse HEAD 2>/dev/null || true)" \
  --label "org.opencontainers.image.licenses=MIT" \
  --label "org.opencontainers.image.base.name=debian:$suite" \
  ${SOURCE_URL:+--label "org.opencontainers.image.source=$SOURCE_URL"} \
  --healthcheck 'CMD-SHELL bookset doctor >/dev/null || exit 1' --healthcheck-interval 5m \
  "$container"
# Of Docker's form, since that of OCI knows no health check.
image=$(buildah commit -q --rm --format docker --timestamp "$SOURCE_DATE_EPOCH" "$container")
echo '{"default": [{"type": "insecureAcceptAnything"}]}' >"$work/policy.json"
buildah push -q --signature-policy "$work/policy.json" "$image" "docker-archive:$work/image.tar:localhost/typeset:$version"
gzip -9n <"$work/image.tar" >"$out/typeset-$version-image.tar.gz"
buildah rmi "$image" >/dev/null
echo "$out/typeset-$version-image.tar.gz"
