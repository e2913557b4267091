#!/bin/sh
# The flaw: forced colour is put into the JSON as well.

otherwise() {
    put() {
        if [ -n "${CLICOLOR_FORCE-}" ]; then printf '\033[32m%s\033[0m\n' "$1"; else printf '%s\n' "$1"; fi
    }
}

. "${0%/*}/right.sh"
