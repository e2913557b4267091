//! The laws of reading a manifest.

use manila::manifest::Manifest;

/// Reads a manifest, and writes it again.
///
/// # Panics
///
/// When a law is broken.
pub fn manifest(bytes: &[u8]) {
    let Ok(manifest) = Manifest::from_json(bytes) else { return };
    let written = serde_json::to_vec(&manifest).expect("a manifest has a JSON form");
    assert_eq!(Manifest::from_json(&written), Ok(manifest), "it comes back");
}
