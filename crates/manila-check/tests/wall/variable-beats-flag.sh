#!/bin/sh
# The flaw: a variable beats the flag.

otherwise() {
    run_config_show() {
        if [ -n "${NOTES_FORMAT-}" ]; then json=''; fi
        settings
    }
}

. "${0%/*}/right.sh"
