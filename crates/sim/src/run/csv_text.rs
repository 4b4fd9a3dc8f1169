//! Small tables as CSV text. Tables that grow with the number of games are written row by row: see
//! [`super::rows`].

use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use serde::{Serialize, Serializer};

/// A table of structures, whose fields are the columns.
pub(crate) fn write(rows: impl IntoIterator<Item: Serialize>) -> String {
    let mut text = WriterBuilder::new().from_writer(Vec::new());
    for row in rows {
        text.serialize(row).expect("rows of plain fields can be written to memory");
    }
    let bytes = text.into_inner().expect("memory can be written");
    String::from_utf8(bytes).expect("it was written as text")
}

/// A figure with six decimals; an empty cell if it is unknown.
pub(crate) struct Decimal(pub(crate) f64);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.collect_str(&format_args!("{:.6}", self.0))
        } else {
            serializer.serialize_str("")
        }
    }
}

/// The records of a table, each with its line number. The first is the header; records may have different
/// numbers of fields.
pub(crate) fn read(text: &str) -> Vec<(usize, StringRecord)> {
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let records = reader.records().map(|record| {
        let record = record.expect("text in memory with any number of fields can be read");
        let line = record.position().map_or(0, |position| {
            // The reader skips empty lines, but counts them only afterwards.
            let rest = text.as_bytes().get(position.byte() as usize..).unwrap_or_default();
            let skipped = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
            position.line() as usize + skipped.filter(|&&byte| byte == b'\n').count()
        });
        (line, record)
    });
    records.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        count: Option<u8>,
        figure: Decimal,
    }

    #[test]
    fn tables_come_back() {
        let row = |name, count, figure| Row { name, count, figure: Decimal(figure) };
        let text =
            write([row("a, \"b\"", Some(1), 0.5), row("", None, f64::NAN), row("two\nlines", None, -2.0)]);
        assert_eq!(text, "name,count,figure\n\"a, \"\"b\"\"\",1,0.500000\n,,\n\"two\nlines\",,-2.000000\n");
        let back = read(&text);
        assert_eq!(back.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(back[1].1.iter().collect::<Vec<_>>(), ["a, \"b\"", "1", "0.500000"]);
        assert_eq!(&back[3].1[0], "two\nlines");
    }

    #[test]
    fn lines_may_be_empty_or_short() {
        let lines =
            |text: &str| read(text).into_iter().map(|(line, row)| (line, row.len())).collect::<Vec<_>>();
        assert_eq!(lines("a,b\n\nc\r\nd,e,f"), [(1, 2), (3, 1), (4, 3)]);
        assert_eq!(lines(""), []);
    }
}
