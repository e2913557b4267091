# What the interactive shell of offered.zsh reads first.
PROMPT= PS2=
stty -echo cols 1000
autoload -Uz compinit
compinit -u -D
source ./script
compdef _manila manila
compadd() {
    # Calls that ask what matches, and add nothing.
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
        builtin compadd "$@"
        return
    fi
    local -a matches
    builtin compadd -A matches "$@"
    print -rl -- $matches
    builtin compadd "$@"
}
complete_and_say() {
    print '<BEGIN>'
    _main_complete
    print '<END>'
}
zle -C complete-and-say complete-word complete_and_say
bindkey '^I' complete-and-say
print '<RE''ADY>'
