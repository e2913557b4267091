#!/bin/sh
# The flaw: the first call has a welcome in it.

otherwise() {
    run_config_show() {
        if [ -e "$HOME/.cache/notes-seen" ]; then settings; fi
        mkdir -p "$HOME/.cache" && : >"$HOME/.cache/notes-seen"
        settings ',"welcome":true'
    }
}

. "${0%/*}/right.sh"
