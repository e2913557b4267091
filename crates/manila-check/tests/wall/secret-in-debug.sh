#!/bin/sh
# The flaw: debug output has the token.

otherwise() {
    run_config_show() {
        if [ -n "${DEBUG-}" ]; then printf 'debug: signing in with %s\n' "${GITHUB_TOKEN-}" >&2; fi
        if [ -n "$json" ]; then succeed '{"limit":20,"colour":"never"}'; fi
        printf 'limit   20\ncolour  never\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
