//! The chapters of the guide: where each page of the repository is in it, and their content.

use crate::links::{self, Link};
use crate::reference::{self, Page};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const SOURCE: &str = "guide/src";

/// A chapter with its content as mdBook gets it.
pub(crate) struct Chapter {
    pub name: String,
    /// Its place below `guide/src`.
    pub path: String,
    pub content: String,
}

pub(crate) struct Guide {
    root: PathBuf,
    /// The pages that SUMMARY.md lists.
    pub listed: Vec<(String, String)>,
    /// The chapter in which a page of the repository stands.
    homes: BTreeMap<String, String>,
    /// Pages in docs/ that no chapter takes over; they become chapters at the end.
    more: Vec<String>,
}

impl Guide {
    pub(crate) fn read(root: &Path) -> io::Result<Guide> {
        let source = root.join(SOURCE);
        let summary = fs::read_to_string(source.join("SUMMARY.md"))?;
        let found = links::find(&summary);
        let listed: Vec<_> =
            found.iter().map(|it| (it.text.to_owned(), it.target.to_owned())).collect();
        let mut homes = BTreeMap::new();
        for (_, path) in &listed {
            let text = fs::read_to_string(source.join(path))
                .map_err(|why| io::Error::other(format!("{SOURCE}/{path}: {why}")))?;
            for page in text.lines().filter_map(included) {
                homes.insert(links::resolve(&format!("{SOURCE}/{path}"), page), path.clone());
            }
        }
        let mut more = BTreeSet::new();
        for entry in fs::read_dir(root.join("docs"))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let page = format!("docs/{name}");
            if name.ends_with(".md") && !homes.contains_key(&page) {
                homes.insert(page.clone(), format!("more/{name}"));
                more.insert(page);
            }
        }
        Ok(Guide { root: root.to_owned(), listed, homes, more: more.into_iter().collect() })
    }

    /// What mdBook sent, with the content of all chapters and with the chapters that are made.
    pub(crate) fn preprocess(&self, input: &str) -> io::Result<String> {
        let mut input: Value = serde_json::from_str(input)?;
        let book = input.get_mut(1).ok_or_else(|| io::Error::other("mdBook sent no book"))?;
        // The member has another name since mdBook 0.5.
        let name = if book.get("items").is_some() { "items" } else { "sections" };
        let Some(items) = book.get_mut(name).and_then(Value::as_array_mut) else {
            return Err(io::Error::other("mdBook sent a book without chapters"));
        };
        items.iter_mut().try_for_each(|item| self.fill(item))?;
        for chapter in self.more()? {
            items.push(as_json(&json!({}), chapter, &[], Value::Null));
        }
        Ok(book.to_string())
    }

    fn fill(&self, item: &mut Value) -> io::Result<()> {
        let Some(chapter) = item.get_mut("Chapter") else { return Ok(()) };
        let text = |chapter: &Value, name| chapter[name].as_str().unwrap_or_default().to_owned();
        let (path, content) = (text(chapter, "path"), text(chapter, "content"));
        let (content, pages) = self.expand(&path, &content)?;
        chapter["content"] = content.into();
        let parents = [chapter["name"].clone()];
        let like = chapter.clone();
        if let Some(children) = chapter["sub_items"].as_array_mut() {
            children.iter_mut().try_for_each(|item| self.fill(item))?;
            for page in pages {
                // Chapters without a number are not folded below their parent.
                let mut number = like["number"].clone();
                if let Some(number) = number.as_array_mut() {
                    number.push((children.len() + 1).into());
                }
                children.push(as_json(&like, page, &parents, number));
            }
        }
        Ok(())
    }

    /// Every chapter of the book.
    pub(crate) fn chapters(&self) -> io::Result<Vec<Chapter>> {
        let mut chapters = Vec::new();
        for (name, path) in &self.listed {
            let text = fs::read_to_string(self.root.join(SOURCE).join(path))?;
            let (content, pages) = self.expand(path, &text)?;
            chapters.push(Chapter { name: name.clone(), path: path.clone(), content });
            chapters.extend(pages);
        }
        chapters.extend(self.more()?);
        Ok(chapters)
    }

    fn more(&self) -> io::Result<Vec<Chapter>> {
        let chapter = |page: &String| {
            let path = self.homes[page].clone();
            let content = self.taken_over(&path, page)?;
            let title = content.lines().find_map(|line| line.strip_prefix("# "));
            Ok(Chapter { name: title.unwrap_or(page).to_owned(), path, content })
        };
        self.more.iter().map(chapter).collect()
    }

    /// A chapter with what it takes over, and the chapters below it that are made from a table.
    fn expand(&self, path: &str, text: &str) -> io::Result<(String, Vec<Chapter>)> {
        let mut out = String::new();
        let mut pages = Vec::new();
        for line in text.lines() {
            let made = line.strip_prefix("{{#manila ").and_then(|rest| rest.strip_suffix("}}"));
            if let Some(page) = included(line) {
                let page = links::resolve(&format!("{SOURCE}/{path}"), page);
                out.push_str(&self.taken_over(path, &page)?);
            } else if let Some(kind) = made {
                let directory = path.strip_suffix(".md").unwrap_or(path);
                let (index, made) = reference::make(&self.root, kind, directory)?;
                out.push_str(&index);
                let chapter = |Page { name, path, content }| Chapter { name, path, content };
                pages.extend(made.into_iter().map(chapter));
            } else {
                out.push_str(line);
                out.push('\n');
            }
        }
        Ok((out, pages))
    }

    /// A page of the repository as a part of a chapter: its links lead to chapters, or are gone where there is none.
    fn taken_over(&self, chapter: &str, page: &str) -> io::Result<String> {
        let text = fs::read_to_string(self.root.join(page))
            .map_err(|why| io::Error::other(format!("{page}: {why}")))?;
        let mut failed = None;
        let text = links::rewrite(&text, |link: &Link<'_>| {
            if link.is_outside() || link.path().is_empty() {
                return None;
            }
            let target = links::resolve(page, link.path());
            if link.is_image {
                // mdBook copies nothing from outside of the guide.
                return match fs::read_to_string(self.root.join(&target)) {
                    Ok(drawing) => Some(drawing),
                    Err(why) => {
                        failed = Some(format!("{page}: {target}: {why}"));
                        None
                    }
                };
            }
            Some(match self.homes.get(&target) {
                Some(home) => {
                    format!("[{}]({}{})", link.text, links::between(chapter, home), link.anchor())
                }
                None => link.text.to_owned(),
            })
        });
        failed.map_or(Ok(text), |why| Err(io::Error::other(why)))
    }
}

fn included(line: &str) -> Option<&str> {
    line.strip_prefix("{{#include ")?.strip_suffix("}}")
}

fn as_json(like: &Value, chapter: Chapter, parents: &[Value], number: Value) -> Value {
    let mut value = like.clone();
    let Chapter { name, path, content } = chapter;
    value["name"] = name.into();
    value["content"] = content.into();
    value["number"] = number;
    value["sub_items"] = json!([]);
    value["path"] = path.clone().into();
    value["source_path"] = path.into();
    value["parent_names"] = parents.into();
    json!({ "Chapter": value })
}
