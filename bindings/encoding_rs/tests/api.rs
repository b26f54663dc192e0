//! The public items of this crate are those of the published one, with the same signatures and trait implementations.
//!
//! rustdoc writes a JSON description of each crate, and the test compares them: every module, type, variant, static,
//! function, method and implementation. Automatic implementations such as `Send` and `UnwindSafe` are included, as are
//! generics, types, `must_use` and `repr`. Names of parameters and private items are ignored. JSON is an unstable output of
//! rustdoc: the test allows it by a toolchain setting, and fails if that fails.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs only if all cases are tested: rustdoc builds both crates, which takes half a minute.
#[test]
fn public_items_are_those_of_the_published_crate() {
    if !mojika_spec::sample::all_cases() {
        return;
    }
    // 80 statics, 37 functions of `mem`, about 60 methods, and the types with their implementations.
    compare(
        "with-alloc",
        "features = [\"serde\"]",
        &["--features", "serde"],
        250,
    );
}

/// Runs only if all cases are tested: the API with `alloc` also has these items.
#[test]
fn public_items_without_alloc_are_those_of_the_published_crate() {
    if !mojika_spec::sample::all_cases() {
        return;
    }
    compare(
        "without-alloc",
        "default-features = false",
        &["--no-default-features"],
        220,
    );
}

/// Compares the crates with these features. At least `least` items must exist.
fn compare(name: &str, published: &str, options: &[&str], least: usize) {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let ours = Api::of_crate(
        &directory.join("ours"),
        Path::new(env!("CARGO_MANIFEST_DIR")),
        options,
    );
    let package = package_with_published(&directory, published);
    let theirs = Api::of_crate(&directory.join("theirs"), &package, &["-p", "encoding_rs"]);
    let count = theirs.0.len();
    assert!(
        count >= least,
        "only {count} items found in the published crate"
    );
    let mut differences = Vec::new();
    for (item, signature) in &theirs.0 {
        match ours.0.get(item) {
            None => differences.push(format!("missing: {item}: {signature}")),
            Some(other) if other != signature => {
                differences.push(format!(
                    "{item}\n  published: {signature}\n  here:      {other}"
                ));
            }
            Some(_) => {}
        }
    }
    let more = ours.0.keys().filter(|item| !theirs.0.contains_key(*item));
    differences.extend(more.map(|item| format!("not in the published crate: {item}")));
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_feature_of_the_published_crate_exists_and_enables_the_same() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("features");
    let features = |package: &Path| -> BTreeMap<String, Value> {
        let metadata = run(cargo()
            .args(["metadata", "--format-version", "1", "--manifest-path"])
            .arg(package.join("Cargo.toml")));
        let metadata: Value = serde_json::from_str(&metadata).expect("cargo metadata is JSON");
        let packages = metadata["packages"].as_array().expect("packages");
        let is_ours = package == Path::new(env!("CARGO_MANIFEST_DIR"));
        let package = packages
            .iter()
            .find(|package| {
                package["name"] == "encoding_rs" && package["source"].is_null() == is_ours
            })
            .expect("the package");
        let features = package["features"].as_object().expect("features");
        features.clone().into_iter().collect()
    };
    let ours = features(Path::new(env!("CARGO_MANIFEST_DIR")));
    let theirs = features(&package_with_published(&directory, "features = []"));
    assert!(theirs.len() >= 14, "{theirs:?}");
    for (name, enables) in &theirs {
        let more = ours
            .get(name)
            .and_then(Value::as_array)
            .unwrap_or_else(|| panic!("no feature {name}"));
        // A feature must enable the same features here, and may enable others.
        for enabled in enables.as_array().into_iter().flatten() {
            if theirs.contains_key(enabled.as_str().unwrap_or_default()) {
                assert!(more.contains(enabled), "{name} does not enable {enabled}");
            }
        }
    }
}

/// Creates a package that depends only on the published crate, so that its features can be chosen. It has this workspace's
/// lock file, so that nothing else is downloaded.
fn package_with_published(directory: &Path, features: &str) -> PathBuf {
    let package = directory.join("with-published");
    std::fs::create_dir_all(package.join("src")).expect("a directory for the package");
    let write = |name: &str, text: &str| {
        std::fs::write(package.join(name), text).expect("a file of the package");
    };
    write("src/lib.rs", "");
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"with-published\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
             encoding_rs = {{ version = \"=0.8.44\", {features} }}\n"
        ),
    );
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    if let Ok(lock) = std::fs::read_to_string(lock) {
        write("Cargo.lock", &lock);
    }
    package
}

fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    // Settings of the cargo that runs this test must not reach the cargo that it starts.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CARGO_PKG_")) {
        cargo.env_remove(name);
    }
    cargo
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("cargo runs");
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The signatures by item.
struct Api(BTreeMap<String, String>);

impl Api {
    fn of_crate(target: &Path, package: &Path, options: &[&str]) -> Self {
        let mut command = cargo();
        command
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_DIR", target)
            .args(["rustdoc", "--lib", "--manifest-path"])
            .arg(package.join("Cargo.toml"))
            .args(options);
        run(command.args(["--", "-Z", "unstable-options", "--output-format", "json"]));
        let json =
            std::fs::read_to_string(target.join("doc/encoding_rs.json")).expect("rustdoc's output");
        let doc = Doc(serde_json::from_str(&json).expect("rustdoc's output is JSON"));
        let mut items = BTreeMap::new();
        doc.module(&doc.0["root"], "", &mut items);
        doc.implementations(&mut items);
        Api(items)
    }
}

/// rustdoc's description of a crate.
struct Doc(Value);

type Items = BTreeMap<String, String>;

impl Doc {
    fn item(&self, id: &Value) -> Option<&Value> {
        self.0["index"].get(id.to_string())
    }

    /// Returns the only key of an item's `inner`, and its value.
    fn inner(item: &Value) -> (&str, &Value) {
        let inner = item["inner"]
            .as_object()
            .and_then(|inner| inner.iter().next());
        inner.map_or(("", &Value::Null), |(kind, inner)| (kind, inner))
    }

    fn module(&self, id: &Value, path: &str, items: &mut Items) {
        let (_, module) = Self::inner(self.item(id).expect("a module"));
        for id in module["items"].as_array().into_iter().flatten() {
            self.visit(id, path, items);
        }
    }

    fn visit(&self, id: &Value, path: &str, items: &mut Items) {
        let Some(item) = self.item(id) else { return };
        let (kind, inner) = Self::inner(item);
        let name = format!("{path}::{}", item["name"].as_str().unwrap_or_default());
        match kind {
            "use" if inner["is_glob"] == true => self.module(&inner["id"], path, items),
            "use" => self.visit(&inner["id"], path, items),
            "module" => self.module(id, &name, items),
            "enum" => {
                for (i, id) in inner["variants"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .enumerate()
                {
                    let variant = self.item(id).expect("a variant");
                    let kind = &Self::inner(variant).1;
                    let fields = self.fields(&kind["kind"]);
                    let shown = format!("{i} {fields} {}", self.plain(&kind["discriminant"]));
                    items.insert(format!("{name}::{}", variant["name"]), shown);
                }
                items.insert(
                    name,
                    format!(
                        "enum {} {}",
                        self.plain(&inner["generics"]),
                        attributes(item)
                    ),
                );
            }
            "struct" => {
                let shown = format!(
                    "struct {} {}",
                    self.plain(&inner["generics"]),
                    attributes(item)
                );
                items.insert(name, shown);
            }
            "function" => {
                items.insert(name, self.function(item, inner));
            }
            "static" | "constant" | "type_alias" => {
                let shown = format!(
                    "{kind} {} {}",
                    self.plain(&inner["type"]),
                    inner["is_mutable"]
                );
                items.insert(name, shown);
            }
            kind => {
                items.insert(name, format!("{kind} {}", self.plain(inner)));
            }
        }
    }

    /// Returns a tuple variant's fields by type.
    fn fields(&self, kind: &Value) -> String {
        let fields = kind["tuple"].as_array().into_iter().flatten();
        let types = fields.map(|id| {
            let field = self.item(id).expect("a public field");
            self.plain(Self::inner(field).1).to_string()
        });
        types.collect::<Vec<_>>().join(", ")
    }

    fn function(&self, item: &Value, function: &Value) -> String {
        let types = |list: &Value| -> Vec<String> {
            let inputs = list.as_array().into_iter().flatten();
            inputs
                .map(|input| self.plain(&input[1]).to_string())
                .collect()
        };
        format!(
            "fn({}) -> {} generics {} header {} {}",
            types(&function["sig"]["inputs"]).join(", "),
            self.plain(&function["sig"]["output"]),
            self.plain(&function["generics"]),
            self.plain(&function["header"]),
            attributes(item)
        )
    }

    /// Adds every trait implementation, and the items of every inherent implementation.
    fn implementations(&self, items: &mut Items) {
        for item in self.0["index"].as_object().expect("an index").values() {
            let ("impl", implementation) = Self::inner(item) else {
                continue;
            };
            // A blanket implementation follows from the implementations of other traits.
            if !implementation["blanket_impl"].is_null() {
                continue;
            }
            let of = self.plain(&implementation["for"]).to_string();
            // Each crate's visitor for serde is private, but implements traits.
            if of.contains("Visitor") {
                continue;
            }
            if implementation["trait"].is_null() {
                for id in implementation["items"].as_array().into_iter().flatten() {
                    let method = self.item(id).expect("a public item");
                    let shown = self.function(method, Self::inner(method).1);
                    items.insert(format!("{of}::{}", method["name"]), shown);
                }
                continue;
            }
            let implemented = self.plain(&implementation["trait"]);
            let shown = format!(
                "{} negative {}",
                self.plain(&implementation["generics"]),
                implementation["is_negative"]
            );
            items.insert(format!("impl {implemented} for {of}"), shown);
        }
    }

    /// Returns a description without differences that are harmless: numbers of items, and the paths by which a crate
    /// refers to its own types.
    fn plain(&self, value: &Value) -> Value {
        match value {
            Value::Array(values) => values.iter().map(|value| self.plain(value)).collect(),
            Value::Object(object) => {
                let mut plain: serde_json::Map<_, _> = object
                    .iter()
                    .filter(|(key, _)| *key != "id")
                    .map(|(key, value)| (key.clone(), self.plain(value)))
                    .collect();
                if let (Some(path), Some(id)) = (object.get("path"), object.get("id")) {
                    plain.insert("path".to_owned(), self.path(path, id).into());
                }
                Value::Object(plain)
            }
            value => value.clone(),
        }
    }

    fn path(&self, written: &Value, id: &Value) -> String {
        let known = &self.0["paths"][id.to_string()];
        let segments: Vec<&str> = match known["path"].as_array() {
            Some(path) => path.iter().filter_map(Value::as_str).collect(),
            None => written.as_str().unwrap_or_default().split("::").collect(),
        };
        let own = known["crate_id"] == 0;
        let from = if own { segments.len() - 1 } else { 0 };
        segments[from..].join("::")
    }
}

/// Returns the attributes that are part of an item's contract.
fn attributes(item: &Value) -> String {
    let attributes = item["attrs"].as_array().into_iter().flatten();
    let mut shown: Vec<String> = attributes
        .map(Value::to_string)
        .filter(|attribute| {
            ["must_use", "repr", "non_exhaustive"]
                .iter()
                .any(|name| attribute.contains(name))
        })
        .collect();
    shown.sort();
    shown.join(" ")
}
