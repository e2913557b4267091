#!/bin/sh
# The flaw: a temporary file is made and forgotten.

otherwise() {
    run_config_show() {
        : >"$TMPDIR/notes.tmp"
        settings
    }
}

. "${0%/*}/right.sh"
