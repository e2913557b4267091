#!/bin/sh
# The flaw: it writes a journal of what was read.

otherwise() {
    run_config_show() {
        printf 'config show\n' >>"$HOME/.notes-journal"
        settings
    }
}

. "${0%/*}/right.sh"
