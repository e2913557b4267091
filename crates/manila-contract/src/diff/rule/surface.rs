//! The rules about what can be called: commands, flags, arguments, defaults, choices, effects.

use super::{Family, Impact, Rule, rows};

rows! {
    Family::Surface;
    COMMAND_REMOVED = "command-removed", "command-added", [Breaking, Breaking, Breaking], "A command is gone.", "Keep the command, or keep its name as an alias and announce the removal first.";
    COMMAND_ADDED = "command-added", "command-removed", [Compatible, Compatible, Compatible], "There is a new command.", "Nothing to do.";
    COMMAND_RENAMED = "command-renamed", "command-renamed", [Breaking, Breaking, Breaking], "A command has another name; its flags, arguments and answers are the same.", "Keep the old name as an alias.";
    COMMAND_BECAME_ALIAS = "command-became-alias", "alias-became-command", [Compatible, Compatible, Compatible], "A command has another name, and the old name is an alias of it.", "Nothing to do.";
    ALIAS_BECAME_COMMAND = "alias-became-command", "command-became-alias", [Breaking, Human, Breaking], "The alias of a command is its only name; the old name is gone.", "Keep the old name as an alias.";
    ALIAS_REMOVED = "alias-removed", "alias-added", [Breaking, Breaking, Breaking], "Another word for a command is gone.", "Keep the alias.";
    ALIAS_ADDED = "alias-added", "alias-removed", [Compatible, Compatible, Compatible], "A command has another word.", "Nothing to do.";
    COMMAND_BECAME_GROUP = "command-became-group", "group-became-command", [Breaking, Breaking, Breaking], "A command that could be run only leads to other commands.", "Keep an action for the bare command.";
    GROUP_BECAME_COMMAND = "group-became-command", "command-became-group", [Human, Compatible, Human], "A word that only led to other commands can be run.", "Check what the bare call does.";
    FLAG_REMOVED = "flag-removed", "flag-added", [Breaking, Breaking, Breaking], "A flag is gone.", "Accept the flag and ignore it, and announce its removal first.";
    FLAG_ADDED = "flag-added", "flag-removed", [Compatible, Compatible, Compatible], "There is a new flag.", "Nothing to do.";
    FLAG_RENAMED = "flag-renamed", "flag-renamed", [Breaking, Breaking, Breaking], "A flag has another name.", "Keep the old name as a hidden alias.";
    REQUIRED_FLAG_ADDED = "required-flag-added", "required-flag-removed", [Breaking, Breaking, Breaking], "There is a new flag, and it is required.", "Give it a default.";
    REQUIRED_FLAG_REMOVED = "required-flag-removed", "required-flag-added", [Breaking, Breaking, Breaking], "A required flag is gone.", "Accept the flag and ignore it.";
    FLAG_NOW_REQUIRED = "flag-now-required", "flag-no-longer-required", [Breaking, Breaking, Breaking], "A flag that was optional is required.", "Give it a default.";
    FLAG_NO_LONGER_REQUIRED = "flag-no-longer-required", "flag-now-required", [Compatible, Compatible, Compatible], "A required flag is optional.", "Nothing to do.";
    SHORT_FLAG_REMOVED = "short-flag-removed", "short-flag-added", [Breaking, Breaking, Breaking], "The short name of a flag is gone.", "Keep the short name.";
    SHORT_FLAG_ADDED = "short-flag-added", "short-flag-removed", [Compatible, Compatible, Compatible], "A flag has a short name.", "Nothing to do.";
    FLAG_TAKES_VALUE = "flag-takes-value", "flag-takes-no-value", [Breaking, Breaking, Breaking], "A switch takes a value.", "Use another name for the flag that takes a value.";
    FLAG_TAKES_NO_VALUE = "flag-takes-no-value", "flag-takes-value", [Breaking, Breaking, Breaking], "A flag that took a value is a switch.", "Use another name for the switch.";
    VALUE_NOW_NUMBER = "value-now-number", "value-no-longer-number", [Breaking, Breaking, Breaking], "The value of a flag must be a number.", "Keep accepting them.";
    VALUE_NO_LONGER_NUMBER = "value-no-longer-number", "value-now-number", [Compatible, Compatible, Compatible], "The value of a flag may be any text.", "Nothing to do.";
    CHOICE_REMOVED = "choice-removed", "choice-added", [Breaking, Breaking, Breaking], "A value that a flag or an argument accepted is gone.", "Keep accepting the value.";
    CHOICE_ADDED = "choice-added", "choice-removed", [Compatible, Compatible, Compatible], "A flag or an argument accepts another value.", "Nothing to do.";
    CHOICES_CLOSED = "choices-closed", "choices-opened", [Breaking, Breaking, Human], "A flag or an argument that took any value takes only some.", "Make sure that every value in use is among them.";
    CHOICES_OPENED = "choices-opened", "choices-closed", [Compatible, Compatible, Compatible], "A flag or an argument that took only some values takes any.", "Nothing to do.";
    DEFAULT_CHANGED = "default-changed", "default-changed", [Breaking, Breaking, Breaking], "A flag that is not given has another value.", "Keep the default; a new behaviour gets a new flag.";
    DEFAULT_ADDED = "default-added", "default-removed", [Human, Compatible, Human], "A flag has a default.", "Check that the default is what happened before.";
    DEFAULT_REMOVED = "default-removed", "default-added", [Human, Compatible, Human], "A flag has no default any more.", "Check what happens without it.";
    VARIABLE_REMOVED = "variable-removed", "variable-added", [Breaking, Breaking, Breaking], "An environment variable no longer sets a flag.", "Keep reading the variable.";
    VARIABLE_ADDED = "variable-added", "variable-removed", [Compatible, Compatible, Human], "An environment variable sets a flag.", "Choose a name with the program's own prefix.";
    ARGUMENT_REMOVED = "argument-removed", "argument-added", [Breaking, Breaking, Breaking], "A command takes one argument less.", "Keep accepting it.";
    ARGUMENT_ADDED = "argument-added", "argument-removed", [Compatible, Compatible, Compatible], "A command takes one more optional argument.", "Nothing to do.";
    REQUIRED_ARGUMENT_ADDED = "required-argument-added", "required-argument-removed", [Breaking, Breaking, Breaking], "A command needs one more argument.", "Make it optional.";
    REQUIRED_ARGUMENT_REMOVED = "required-argument-removed", "required-argument-added", [Breaking, Breaking, Breaking], "An argument that every call passes is gone.", "Keep accepting it.";
    ARGUMENT_NOW_REQUIRED = "argument-now-required", "argument-no-longer-required", [Breaking, Breaking, Breaking], "An optional argument is required.", "Keep it optional.";
    ARGUMENT_NO_LONGER_REQUIRED = "argument-no-longer-required", "argument-now-required", [Compatible, Compatible, Compatible], "A required argument is optional.", "Nothing to do.";
    ARGUMENT_ORDER_CHANGED = "argument-order-changed", "argument-order-changed", [Breaking, Breaking, Breaking], "The arguments of a command have a different order.", "Keep the order.";
    ARGUMENT_RENAMED = "argument-renamed", "argument-renamed", [Compatible, Compatible, Compatible], "An argument has another name in the help.", "Nothing to do.";
    ARGUMENT_NOW_MANY = "argument-now-many", "argument-no-longer-many", [Compatible, Compatible, Compatible], "An argument may be given several times.", "Nothing to do.";
    ARGUMENT_NO_LONGER_MANY = "argument-no-longer-many", "argument-now-many", [Breaking, Breaking, Breaking], "An argument may be given only once.", "Keep accepting several.";
    JSON_SWITCH_CHANGED = "json-switch-changed", "json-switch-changed", [Breaking, Breaking, Breaking], "JSON is asked for with other arguments.", "Keep the old arguments.";
    JSON_SWITCH_REMOVED = "json-switch-removed", "json-switch-added", [Breaking, Breaking, Breaking], "JSON can no longer be asked for.", "Keep the JSON output.";
    JSON_SWITCH_ADDED = "json-switch-added", "json-switch-removed", [Compatible, Compatible, Compatible], "There is a way to ask for JSON.", "Nothing to do.";
    MANIFEST_REMOVED = "manifest-removed", "manifest-added", [Breaking, Breaking, Compatible], "The program no longer describes itself.", "Keep the command that prints it.";
    MANIFEST_ADDED = "manifest-added", "manifest-removed", [Compatible, Compatible, Compatible], "The program describes itself.", "Nothing to do.";
    DECLARED_ERROR_REMOVED = "declared-error-removed", "declared-error-added", [Human, Compatible, Compatible], "The manifest no longer declares an error code.", "Declare every code that can occur.";
    DECLARED_ERROR_ADDED = "declared-error-added", "declared-error-removed", [Human, Compatible, Compatible], "The manifest declares another error code.", "Announce the code.";
    DECLARED_STATUS_REMOVED = "declared-status-removed", "declared-status-added", [Human, Compatible, Compatible], "The manifest no longer declares an exit code.", "Declare every exit code that can occur.";
    DECLARED_STATUS_ADDED = "declared-status-added", "declared-status-removed", [Human, Compatible, Human], "The manifest declares another exit code.", "Announce the exit code.";
    EFFECTS_GREW = "effects-grew", "effects-shrank", [Breaking, Breaking, Breaking], "A command does more than it did: it writes or destroys.", "Put the new effect behind a flag.";
    EFFECTS_SHRANK = "effects-shrank", "effects-grew", [Human, Compatible, Compatible], "A command does less than it did.", "Check that no one relies on it.";
}
