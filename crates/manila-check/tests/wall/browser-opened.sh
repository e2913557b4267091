#!/bin/sh
# The flaw: it shows the settings in a browser too.

otherwise() {
    run_config_show() {
        xdg-open https://notes.example/settings
        settings
    }
}

. "${0%/*}/right.sh"
