#!/bin/sh
# The flaw: a setting is written as it was read, in Latin-1.

otherwise() {
    run_config_show() {
        if [ -n "$json" ]; then succeed "{\"limit\":20,\"colour\":\"$(printf 'gr\374n')\"}"; fi
        printf 'limit   20\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
