//! Calendar dates from seconds since 1970.

/// Formats a moment in UTC for readers, such as `2001-09-09 01:46Z`.
pub fn to_the_minute(seconds: u64) -> String {
    let time = rfc_3339(seconds);
    match time.split_once('T') {
        Some((day, time)) => format!("{day} {}Z", &time[..5]),
        None => time,
    }
}

/// Formats a moment in UTC by RFC 3339, such as `2001-09-09T01:46:40Z`.
pub fn rfc_3339(seconds: u64) -> String {
    // Howard Hinnant's algorithm: years begin in March, and 400 years have 146,097 days.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1);
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00Z"),
            (951_782_399, "2000-02-28 23:59Z"),
            (951_782_400, "2000-02-29 00:00Z"),
            (1_000_000_000, "2001-09-09 01:46Z"),
            (1_709_251_199, "2024-02-29 23:59Z"),
            (1_709_251_200, "2024-03-01 00:00Z"),
            (4_107_542_399, "2100-02-28 23:59Z"),
            (4_107_542_400, "2100-03-01 00:00Z"),
        ] {
            assert_eq!(super::to_the_minute(seconds), text);
        }
    }
}
