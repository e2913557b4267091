#!/bin/sh
# Install the programs of the panel, each in a directory of its own, below the first argument.
#
# Debian packages are downloaded and unpacked, not installed; what they link against must be there. A program that a
# registry does not have any more is skipped with a message: the panel is run on what is there.
set -u
here=$(cd "$(dirname "$0")" && pwd)
to=${1:-"$here/.programs"}
mkdir -p "$to/bin"
to=$(cd "$to" && pwd)

from_apt() { # package command
    if [ -z "$(command -v "$2")" ]; then
        apt-get install -y --no-install-recommends "$1" >/dev/null 2>&1 || return 1
    fi
    ln -sf "$(command -v "$2")" "$to/bin/$2"
}

from_pypi() { # package version command
    at="$to/pypi-$1"
    [ -x "$at/bin/$3" ] || {
        python3 -m venv "$at" && "$at/bin/pip" install -q --disable-pip-version-check "$1==$2"
    } || return 1
    ln -sf "$at/bin/$3" "$to/bin/$3"
}

from_npm() { # package version command
    at="$to/npm-$3"
    [ -x "$at/node_modules/.bin/$3" ] ||
        npm install --silent --no-fund --no-audit --prefix "$at" "$1@$2" >/dev/null 2>&1 || return 1
    ln -sf "$at/node_modules/.bin/$3" "$to/bin/$3"
}

grep -v '^#' "$here/programs.tsv" | while IFS='	' read -r source package version command; do
    case $source in
        apt) from_apt "$package" "$command" ;;
        pypi) from_pypi "$package" "$version" "$command" ;;
        npm) from_npm "$package" "$version" "$command" ;;
    esac && echo "installed $command" || echo "SKIPPED: $command ($source $package $version) cannot be installed" >&2
done
