//! What the pack of the called program adds to an answer: the next page, and what renews the credentials.

use super::{Runtime, Settling};
use crate::answer::{Answered, Source};
use crate::invocation::Invocation;
use manila::json::{Kind, Raw, Value};
use manila::{Envelope, ErrorObject, Exit};
use manila_pack::{RefreshCommand, paging, refresh_command};

impl<S: Runtime> Settling<'_, S> {
    /// The answer with what its pack knows beyond the class.
    pub(super) fn with_pack(&mut self, answered: Answered, argv: &[String]) -> Answered {
        let Source::Reading(_) = &answered.source else { return answered };
        if !self.known().has_pack {
            return answered;
        }
        match answered.envelope.exit() {
            Exit::Success => self.with_cursor(answered, argv),
            Exit::AuthRequired => self.with_renewal(answered),
            _ => answered,
        }
    }

    /// A list that continues elsewhere says where, unless the caller asked for a part of it.
    fn with_cursor(&mut self, answered: Answered, argv: &[String]) -> Answered {
        // Without an envelope, the program's own bytes are handed on as they are.
        if answered.is_plain || self.policy.delivery.is_some() {
            return answered;
        }
        let data = answered.envelope.content().data.clone();
        let Some(data) = data.filter(|data| data.value().kind() == Kind::Object) else {
            return answered;
        };
        let Some(paging) = paging(argv, self.policy.packs.lookup()) else { return answered };
        let Some((cursor, data)) = take_cursor(&data, &paging.cursor) else { return answered };
        self.paging = Some(paging);
        let envelope = answered.envelope.with_data(data).with_rest(Some(cursor));
        Answered { envelope, ..answered }
    }

    /// A failure for want of credentials names the command that a person has to run.
    fn with_renewal(&self, answered: Answered) -> Answered {
        let Some(error) = answered.envelope.error().filter(|error| error.suggestion.is_none())
        else {
            return answered;
        };
        let Some(RefreshCommand { argv, .. }) = self.pack_refresh() else { return answered };
        let suggestion = Some(format!("renew the credentials with `{}`", argv.join(" ")));
        let failure = ErrorObject { suggestion, ..error.clone() };
        let data = answered.envelope.content().data.clone();
        let envelope = Envelope::failure(answered.envelope.exit(), failure);
        let envelope = envelope.with_status(answered.envelope.status());
        let envelope = data.into_iter().fold(envelope, Envelope::with_data);
        Answered { envelope, ..answered }
    }

    fn pack_refresh(&self) -> Option<RefreshCommand> {
        refresh_command(&self.call.argv_lossy(), self.policy.packs.lookup())
    }

    /// What may be run to renew the credentials that an answer says are old.
    pub(super) fn renewal(&self, answer: &Envelope) -> Option<Invocation> {
        if self.policy.refresh.is_some() {
            return self.policy.refresh.clone();
        }
        let is_asked = self.policy.refresh_from_packs && !answer.ok();
        let refresh = is_asked.then(|| self.pack_refresh()).flatten();
        // What asks a person cannot be run for the caller.
        let refresh = refresh.filter(|refresh| !refresh.interactive)?;
        let [program, arguments @ ..] = refresh.argv.as_slice() else { return None };
        Some(Invocation::new(program).args(arguments))
    }
}

/// The cursor at a pointer, and the data without it: pages that differ in nothing but their list are one
/// list.
fn take_cursor(data: &Raw, pointer: &str) -> Option<(String, Raw)> {
    let mut steps = pointer.strip_prefix('/')?.split('/').map(unescaped);
    let first = steps.next()?;
    let whole = data.value();
    let mut value = member(&whole, &first)?;
    let mut is_top = true;
    for step in steps {
        is_top = false;
        value = member(&value, &step)?;
    }
    let cursor =
        value.string().map_or_else(|| number(value.text()), |text| Some(text.into_owned()));
    let cursor = cursor.filter(|cursor| !cursor.is_empty())?;
    let rest = whole.members().filter(|member| member.key() != first);
    Some((cursor, if is_top { Raw::object(rest) } else { data.clone() }))
}

fn member<'t>(value: &Value<'t>, key: &str) -> Option<Value<'t>> {
    value.members().find(|member| member.key() == key).map(|member| member.value)
}

fn number(text: &str) -> Option<String> {
    text.starts_with(|c: char| c.is_ascii_digit()).then(|| text.to_owned())
}

/// A step of a JSON pointer as the key it stands for.
fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_taken_out_of_the_data() {
        let taken = |text: &str, pointer: &str| {
            let data = Raw::parse(text).unwrap();
            take_cursor(&data, pointer).map(|(cursor, data)| (cursor, data.as_str().to_owned()))
        };
        let some = |cursor: &str, data: &str| Some((cursor.to_owned(), data.to_owned()));
        assert_eq!(taken(r#"{"L":[1],"Next":"c2"}"#, "/Next"), some("c2", r#"{"L":[1]}"#));
        let nested = r#"{"l":[],"page":{"next":7}}"#;
        assert_eq!(taken(nested, "/page/next"), some("7", nested));
        for (text, pointer) in [
            (r#"{"L":[1]}"#, "/Next"),
            (r#"{"L":[1],"Next":null}"#, "/Next"),
            (r#"{"L":[1],"Next":""}"#, "/Next"),
            (r#"{"L":[1],"Next":"c"}"#, "Next"),
        ] {
            assert_eq!(taken(text, pointer), None, "{text}");
        }
    }
}
