#!/bin/sh
# The flaw: it lets people edit the settings whenever they are shown.

otherwise() {
    run_config_show() {
        "${EDITOR-vi}" notes.conf </dev/null >/dev/null
        settings
    }
}

. "${0%/*}/right.sh"
