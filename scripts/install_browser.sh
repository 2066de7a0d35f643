#!/bin/sh
# Installs Chromium, in which the tests open reports. Without it those tests are skipped. Works as root or with sudo.
set -eu
command -v chromium >/dev/null && exit 0

as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo"
echo "installing: chromium"
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
