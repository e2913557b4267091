#!/bin/sh
# The flaw: a path with a blank in it is taken for two.

otherwise() {
    run_config_show() {
        set -- $HOME
        settings ",\"words\":$#"
    }
}

. "${0%/*}/right.sh"
