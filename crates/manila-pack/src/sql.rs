//! Statements of SQL on a command line: whether one only reads.
//!
//! A query may call a function, and a function may do anything. Only the functions that are listed are
//! known to compute a value; a statement with any other, or one that is not understood, is not a read.

/// The words with which a statement begins that reads.
const READS: &[&str] = &["select", "table", "values", "show", "explain", "with"];

/// Words that make a statement one that writes, locks or executes, wherever they stand.
const WRITES: &[&str] = &[
    "alter", "analyse", "analyze", "attach", "call", "copy", "create", "delete", "detach", "do",
    "drop", "dumpfile", "execute", "for", "grant", "insert", "into", "lock", "merge", "outfile",
    "pragma", "refresh", "replace", "revoke", "set", "share", "truncate", "update", "vacuum",
];

/// Functions, and words before a parenthesis, that compute a value and do nothing else.
const PURE: &[&str] = &[
    "abs",
    "all",
    "and",
    "any",
    "array_agg",
    "array_length",
    "as",
    "avg",
    "bool_and",
    "bool_or",
    "by",
    "case",
    "cast",
    "ceil",
    "char_length",
    "coalesce",
    "concat",
    "count",
    "current_database",
    "current_schema",
    "current_user",
    "date",
    "date_part",
    "date_trunc",
    "dense_rank",
    "distinct",
    "else",
    "except",
    "exists",
    "extract",
    "filter",
    "floor",
    "from",
    "greatest",
    "group_concat",
    "having",
    "ifnull",
    "in",
    "instr",
    "intersect",
    "json_agg",
    "json_array_length",
    "json_extract",
    "jsonb_agg",
    "lag",
    "lead",
    "least",
    "length",
    "like",
    "lower",
    "ltrim",
    "max",
    "min",
    "not",
    "now",
    "nullif",
    "on",
    "or",
    "over",
    "partition",
    "pg_column_size",
    "pg_database_size",
    "pg_relation_size",
    "pg_size_pretty",
    "pg_total_relation_size",
    "printf",
    "random",
    "rank",
    "round",
    "row_number",
    "rtrim",
    "select",
    "sqlite_version",
    "string_agg",
    "strftime",
    "substr",
    "substring",
    "sum",
    "then",
    "to_char",
    "total",
    "trim",
    "typeof",
    "union",
    "upper",
    "using",
    "values",
    "version",
    "when",
    "where",
];

/// Whether a statement reads and does nothing else.
pub(crate) fn sql_is_pure(statement: &str) -> bool {
    let statement = statement.trim().to_lowercase();
    let statement = statement.strip_suffix(';').unwrap_or(&statement);
    let mut rest = statement;
    let mut is_first = true;
    while let Some(character) = rest.chars().next() {
        if character.is_ascii_alphabetic() || character == '_' {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
            let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
            rest = &rest[word.len()..];
            let calls = rest.trim_start().starts_with('(');
            let is_allowed = if is_first { READS.contains(&word) } else { !WRITES.contains(&word) };
            if !is_allowed || (calls && !PURE.contains(&word)) || rest.starts_with('\'') {
                return false;
            }
            is_first = false;
            continue;
        }
        if character == '\'' {
            // Two quotes within a text are one.
            let Some((_, after)) = rest[1..].split_once('\'') else { return false };
            rest = after;
            continue;
        }
        let is_comment = rest.starts_with("--") || rest.starts_with("/*");
        let is_plain =
            character.is_ascii_digit() || " \t\n\r.,()*+-/<>=!%|:[]~".contains(character);
        // A quoted name may be that of a function.
        if is_first || is_comment || !is_plain {
            return false;
        }
        rest = &rest[1..];
    }
    !is_first
}

#[cfg(test)]
mod tests {
    use super::sql_is_pure;

    #[test]
    fn statements_that_read() {
        for statement in [
            "select 1",
            "SELECT count(*) FROM t WHERE a = 'it''s; drop table t';",
            "select a.b, max(c) over (partition by d) from t as a where x in (1, 2)",
            "show server_version",
            "table t",
            "explain select * from t",
            "with x as (select 1) select * from x",
            "select a::text from t where b ~ 'x' limit 5",
        ] {
            assert!(sql_is_pure(statement), "{statement}");
        }
    }

    #[test]
    fn statements_that_write_or_are_not_understood() {
        for statement in [
            "",
            ";",
            "insert into t values (1)",
            "select 1; drop table t",
            "select 1 into t",
            "select pg_terminate_backend(1)",
            "select \"f\"(1)",
            "select public.count(1)",
            "select f (1)",
            "select * from t for update",
            "explain analyze delete from t",
            "with x as (delete from t returning *) select * from x",
            "select writefile('a', 'b')",
            "select 1 -- x",
            "select 1 /* x */",
            "select $$a$$",
            "select e'\\'; drop table t; --'",
            "\\! rm x",
            "select 'a",
            "pragma journal_mode = wal",
            "values (nextval('s'))",
            "(select 1)",
        ] {
            assert!(!sql_is_pure(statement), "{statement}");
        }
    }
}
