//! The progress bar on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Progress in bytes and files.
pub struct Bar(ProgressBar);

impl Bar {
    /// Creates a bar on standard error, or a hidden one.
    pub fn new(shown: bool) -> Self {
        Self(match shown {
            true => ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10)),
            false => ProgressBar::hidden(),
        })
    }

    pub fn is_hidden(&self) -> bool {
        self.0.is_hidden()
    }

    /// Sets the totals: the number of files, and their bytes.
    pub fn begin(&self, files: u64, bytes: u64) {
        let color = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let bar = match color {
            true => "{wide_bar:.cyan/blue}",
            false => "{wide_bar}",
        };
        let template = format!(
            "{{msg}} of {files} files {bar} {{decimal_bytes}}/{{decimal_total_bytes}} {{decimal_bytes_per_sec}} {{eta}}"
        );
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.0.set_style(style.progress_chars("=> "));
        }
        self.0.set_message("0");
        self.0.set_length(bytes);
        if !self.0.is_hidden() {
            self.0.enable_steady_tick(Duration::from_millis(200));
        }
    }

    /// Adds to the number of bytes.
    pub fn advance(&self, bytes: u64) {
        if !self.0.is_hidden() {
            self.0.inc(bytes);
        }
    }

    /// Shows the number of finished files.
    pub fn set_files(&self, files: u64) {
        if !self.0.is_hidden() {
            self.0.set_message(files.to_string());
        }
    }

    /// Hides the bar while `write` writes to standard error.
    pub fn suspend(&self, write: impl FnOnce()) {
        self.0.suspend(write);
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}
