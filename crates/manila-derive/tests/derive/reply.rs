//! `#[derive(Reply)]`: kinds, payloads, schemas, pages.

use super::*;

#[derive(Serialize, JsonSchema, Reply)]
struct TodoItem {
    id: u8,
    title: &'static str,
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "task", show = Self::show_it, legacy = before)]
struct Task {
    id: u8,
}

impl Task {
    fn show_it(&self, screen: &mut Screen) {
        screen.line(self.id);
    }
}

fn before(task: &Task) -> impl Serialize {
    [task.id]
}

#[test]
fn the_kind_is_named_after_the_type() {
    let item = TodoItem { id: 1, title: "milk" };
    assert_eq!(item.kind(), "todo_item");
    assert_eq!(kinds::<TodoItem>()[0].name, "todo_item");
    assert_eq!(Task { id: 1 }.kind(), "task");
    assert_eq!(kinds::<Task>()[0].name, "task");
}

#[test]
fn the_payload_is_the_value() {
    let item = TodoItem { id: 1, title: "milk" };
    let text = r#"{"id":1,"title":"milk"}"#;
    assert_eq!(data(&item, Shape::Current), text);
    assert_eq!(data(&item, Shape::Legacy), text);
    assert!(item.page().is_none());
}

#[test]
fn the_older_payload_is_what_the_function_makes() {
    assert_eq!(data(&Task { id: 1 }, Shape::Current), r#"{"id":1}"#);
    assert_eq!(data(&Task { id: 1 }, Shape::Legacy), "[1]");
}

#[test]
fn the_schema_is_that_of_the_type() {
    let mut generator = schemars::SchemaGenerator::default();
    let kind = kinds::<Task>()[0];
    let schema = (kind.schema)(&mut generator);
    let expected = generator.subschema_for::<Task>();
    assert_eq!(schema, expected);
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(page)]
struct Tasks(Page<Task>);

#[derive(Serialize, JsonSchema, Reply)]
#[reply(page = tasks, kind = "found")]
struct Found<T: Serialize + JsonSchema> {
    query: String,
    tasks: Page<T>,
}

#[test]
fn a_page_is_a_field() {
    let tasks = Tasks(Page::from_service(vec![Task { id: 1 }], None, None));
    assert_eq!(tasks.page().map(Paged::returned), Some(1));
    assert_eq!(data(&tasks, Shape::Current), r#"[{"id":1}]"#);
    let found =
        Found { query: "m".to_owned(), tasks: Page::from_service(vec![1, 2, 3], Some(9), None) };
    assert_eq!(found.page().map(Paged::returned), Some(3));
    assert_eq!(found.page().and_then(Paged::total), Some(9));
    assert_eq!(kinds::<Found<u8>>()[0].name, "found");
}

#[derive(Reply)]
enum Answer<T: Reply> {
    Task(Task),
    Tasks(Tasks),
    Other(T),
}

#[test]
fn an_enum_is_what_it_holds() {
    let task = Answer::<Done>::Task(Task { id: 1 });
    assert_eq!(task.kind(), "task");
    assert_eq!(data(&task, Shape::Current), r#"{"id":1}"#);
    assert_eq!(data(&task, Shape::Legacy), "[1]");
    assert!(task.page().is_none());
    let tasks = Answer::<Done>::Tasks(Tasks(Page::from_service(Vec::new(), None, None)));
    assert_eq!(tasks.page().map(Paged::returned), Some(0));
    assert_eq!(Answer::Other(Done::new("gone")).kind(), "message");
    let names: Vec<&str> = kinds::<Answer<Done>>().iter().map(|kind| kind.name).collect();
    assert_eq!(names, ["task", "tasks", "message"]);
}

#[derive(Serialize, Reply)]
struct Bare {
    id: u8,
}

#[derive(Serialize, Reply)]
struct Around<T: Serialize> {
    inner: T,
}

#[test]
fn a_payload_without_a_schema_is_any_value() {
    assert_eq!(data(&Bare { id: 1 }, Shape::Current), r#"{"id":1}"#);
    let schema = |kind: Kind| (kind.schema)(&mut schemars::SchemaGenerator::default());
    assert_eq!(schema(kinds::<Bare>()[0]), schemars::Schema::from(true));
    assert_eq!(schema(kinds::<Around<u8>>()[0]), schemars::Schema::from(true));
    assert_ne!(schema(kinds::<Task>()[0]), schemars::Schema::from(true));
    assert_eq!(data(&Around { inner: 2 }, Shape::Current), r#"{"inner":2}"#);
}

#[derive(Reply)]
enum Nothing {}

#[test]
fn an_enum_may_be_empty() {
    assert!(kinds::<Nothing>().is_empty());
}
