#!/bin/sh
# Installs the engines that make scale-test starts: Slurm and rclone from Debian, and a virtual environment of Python with Ray, Dask,
# a server of S3, what drives browsers, what checks jobs of Kubernetes, and what makes parts of runs. What is there is left alone.
#
#   Scripts/engines.sh FOLDER
set -eu

folder=${1:?which folder?}
"$(dirname "$0")/set-up.sh" engines
[ -x "$folder/bin/python" ] || python3 -m venv "$folder"
"$folder/bin/python" -c 'import ray, dask.distributed, kubernetes_validate, moto.server, playwright, zstandard' 2>/dev/null ||
  "$folder/bin/pip" install --quiet ray==2.60.0 'dask[distributed]==2026.8.0' kubernetes-validate==1.37.0 'moto[server]==5.2.5' \
    playwright==1.65.2 zstandard
