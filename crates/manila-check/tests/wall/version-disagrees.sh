#!/bin/sh
# The flaw: --version was forgotten at the last release.

otherwise() {
    run_version() {
        if [ -n "$json" ]; then succeed "{\"name\":\"notes\",\"version\":\"$version\"}"; fi
        printf 'notes 1.1.9\n'
        finish 0
    }
}

. "${0%/*}/right.sh"
