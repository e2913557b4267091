#!/bin/sh
# The flaw: the settings show the token.

otherwise() {
    run_config_show() {
        if [ -n "$json" ]; then succeed "{\"limit\":20,\"colour\":\"never\",\"token\":\"${GITHUB_TOKEN-}\"}"; fi
        printf 'limit   20\ncolour  never\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
