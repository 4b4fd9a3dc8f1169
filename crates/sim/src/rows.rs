//! Tables for programs: the same rows as CSV and as Parquet.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::output_file::Pending;

/// Rows of a row group.
const GROUP: usize = 1 << 16;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Real,
    /// Texts.
    Text,
}

/// A cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// A whole number.
    Whole(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(String),
}

impl From<i64> for Cell {
    fn from(value: i64) -> Self {
        Self::Whole(value)
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<String> for Cell {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

enum Column {
    Whole(Vec<i64>),
    Real(Vec<f64>),
    Text(Vec<ByteArray>),
}

/// Writes rows into `NAME.csv` and `NAME.parquet`. Memory does not grow with the number of rows.
///
/// ```
/// use ttr_sim::rows::{Kind, RowWriter};
/// # let folder = std::env::temp_dir().join(format!("ttr-rows-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let mut rows = RowWriter::create(&folder, "seats", &[("seat", Kind::Whole), ("agent", Kind::Text)])?;
/// rows.row([1i64.into(), "random".into()])?;
/// rows.row([2i64.into(), "a, \"b\"".into()])?;
/// rows.finish()?;
/// let csv = std::fs::read_to_string(folder.join("seats.csv"))?;
/// assert_eq!(csv, "seat,agent\n1,random\n2,\"a, \"\"b\"\"\"\n");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), anyhow::Error>(())
/// ```
pub struct RowWriter {
    folder: PathBuf,
    name: String,
    csv: Pending,
    parquet: SerializedFileWriter<Pending>,
    columns: Vec<Column>,
    rows: usize,
}

impl RowWriter {
    /// Begins both files. Columns are named in `snake_case`.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn create(folder: &Path, name: &str, columns: &[(&str, Kind)]) -> anyhow::Result<Self> {
        let pending = |ending: &str| {
            let path = folder.join(format!("{name}.{ending}"));
            Pending::create(&path).with_context(|| unwritable(&path))
        };
        let mut csv = pending("csv")?;
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        writeln!(csv, "{}", names.join(",")).with_context(|| unwritable(csv.target()))?;
        let field = |(name, kind): &(&str, Kind)| match kind {
            Kind::Whole => format!("REQUIRED INT64 {name};"),
            Kind::Real => format!("REQUIRED DOUBLE {name};"),
            Kind::Text => format!("REQUIRED BYTE_ARRAY {name} (UTF8);"),
        };
        let schema = format!("message {name} {{ {} }}", columns.iter().map(field).collect::<String>());
        let schema = Arc::new(parse_message_type(&schema)?);
        let properties = Arc::new(WriterProperties::builder().build());
        Ok(Self {
            folder: folder.to_owned(),
            name: name.to_owned(),
            csv,
            parquet: SerializedFileWriter::new(pending("parquet")?, schema, properties)?,
            columns: columns
                .iter()
                .map(|(_, kind)| match kind {
                    Kind::Whole => Column::Whole(Vec::new()),
                    Kind::Real => Column::Real(Vec::new()),
                    Kind::Text => Column::Text(Vec::new()),
                })
                .collect(),
            rows: 0,
        })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// If it can't be written, or a cell is of another kind than its column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) -> anyhow::Result<()> {
        let cells: Vec<Cell> = cells.into_iter().collect();
        let fits = |(column, cell): (&Column, &Cell)| {
            matches!(
                (column, cell),
                (Column::Whole(_), Cell::Whole(_))
                    | (Column::Real(_), Cell::Real(_))
                    | (Column::Text(_), Cell::Text(_))
            )
        };
        let fits = cells.len() == self.columns.len() && self.columns.iter().zip(&cells).all(fits);
        anyhow::ensure!(fits, "{cells:?} does not fit the columns");
        let mut line = String::new();
        for (index, (column, cell)) in self.columns.iter_mut().zip(cells).enumerate() {
            if index > 0 {
                line.push(',');
            }
            match (column, cell) {
                (Column::Whole(values), Cell::Whole(value)) => {
                    line += &value.to_string();
                    values.push(value);
                }
                (Column::Real(values), Cell::Real(value)) => {
                    line += &value.to_string();
                    values.push(value);
                }
                (Column::Text(values), Cell::Text(value)) => {
                    line += &quoted(&value);
                    values.push(ByteArray::from(value.into_bytes()));
                }
                _ => unreachable!("the cells fit"),
            }
        }
        line.push('\n');
        self.csv.write_all(line.as_bytes()).with_context(|| unwritable(self.csv.target()))?;
        self.rows += 1;
        if self.rows == GROUP { self.write_group() } else { Ok(()) }
    }

    /// Gives the files their names.
    ///
    /// # Errors
    /// If they can't be written to their end.
    pub fn finish(mut self) -> anyhow::Result<()> {
        self.write_group()?;
        let parquet = self.parquet_path();
        let csv = self.csv.target().to_owned();
        self.csv.finish().with_context(|| unwritable(&csv))?;
        let closed = self.parquet.into_inner().with_context(|| unwritable(&parquet))?;
        closed.finish().with_context(|| unwritable(&parquet))
    }

    fn parquet_path(&self) -> PathBuf {
        self.folder.join(format!("{}.parquet", self.name))
    }

    fn write_group(&mut self) -> anyhow::Result<()> {
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        self.try_write_group().with_context(|| unwritable(&self.parquet_path()))
    }

    fn try_write_group(&mut self) -> parquet::errors::Result<()> {
        let mut group = self.parquet.next_row_group()?;
        for column in &mut self.columns {
            let Some(mut writer) = group.next_column()? else { break };
            match column {
                Column::Whole(values) => {
                    writer.typed::<Int64Type>().write_batch(values, None, None)?;
                    values.clear();
                }
                Column::Real(values) => {
                    writer.typed::<DoubleType>().write_batch(values, None, None)?;
                    values.clear();
                }
                Column::Text(values) => {
                    writer.typed::<ByteArrayType>().write_batch(values, None, None)?;
                    values.clear();
                }
            }
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }
}

fn unwritable(path: &Path) -> String {
    format!("{} can't be written", path.display())
}

/// A text as a CSV field.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    #[test]
    fn an_empty_text_is_a_field() {
        let folder = std::env::temp_dir().join(format!("ttr-empty-text-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut rows = RowWriter::create(&folder, "table", &[("t", Kind::Text), ("n", Kind::Whole)]).unwrap();
        rows.row(["".into(), 1i64.into()]).unwrap();
        rows.finish().unwrap();
        assert_eq!(std::fs::read_to_string(folder.join("table.csv")).unwrap(), "t,n\n,1\n");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn parquet_has_the_same_rows() {
        let folder = std::env::temp_dir().join(format!("ttr-parquet-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let columns = [("n", Kind::Whole), ("x", Kind::Real), ("t", Kind::Text)];
        let mut rows = RowWriter::create(&folder, "table", &columns).unwrap();
        let count = GROUP as i64 + 10;
        for n in 0..count {
            rows.row([n.into(), (n as f64 / 4.0).into(), format!("row {n}").into()]).unwrap();
        }
        assert!(rows.row([1i64.into()]).is_err());
        rows.finish().unwrap();
        let file = std::fs::File::open(folder.join("table.parquet")).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        assert_eq!(reader.metadata().num_row_groups(), 2);
        let csv = std::fs::read_to_string(folder.join("table.csv")).unwrap();
        for (row, line) in reader.get_row_iter(None).unwrap().zip(csv.lines().skip(1)) {
            let cells: Vec<_> = row.unwrap().get_column_iter().map(|(_, cell)| cell.to_string()).collect();
            let [n, x, t] = &cells[..] else { panic!("three columns") };
            let x: f64 = x.parse().unwrap();
            assert_eq!(format!("{n},{x},{}", t.trim_matches('"')), line);
        }
        assert_eq!(csv.lines().count() as i64, count + 1);
        let files = std::fs::read_dir(&folder).unwrap().count();
        assert_eq!(files, 2, "no temporary file is left");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
