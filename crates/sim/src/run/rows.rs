//! Tables for programs: the same rows as CSV and as Parquet.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use super::error::{FileAction, FileError};
use super::output_file::Pending;

/// Number of rows of a row group.
const GROUP: usize = 1 << 16;

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnType {
    /// `true` or `false`.
    Bool,
    /// Whole numbers from 0 to 255.
    U8,
    /// Whole numbers from 0 to 65,535.
    U16,
    /// Whole numbers from 0 to 2^32 - 1.
    U32,
    /// Whole numbers from 0 to 2^64 - 1.
    U64,
    /// Whole numbers from -32,768 to 32,767.
    I16,
    /// Whole numbers from -2^63 to 2^63 - 1.
    Whole,
    /// Numbers.
    Real,
    /// Texts.
    Text,
}

impl ColumnType {
    /// The type in a Parquet schema: physical, and logical where that says more.
    fn parquet(self) -> (&'static str, &'static str) {
        match self {
            Self::Bool => ("BOOLEAN", ""),
            Self::U8 => ("INT32", "(INTEGER(8,false))"),
            Self::U16 => ("INT32", "(INTEGER(16,false))"),
            Self::U32 => ("INT32", "(INTEGER(32,false))"),
            Self::U64 => ("INT64", "(INTEGER(64,false))"),
            Self::I16 => ("INT32", "(INTEGER(16,true))"),
            Self::Whole => ("INT64", ""),
            Self::Real => ("DOUBLE", ""),
            Self::Text => ("BYTE_ARRAY", "(STRING)"),
        }
    }

    /// The integers that it can hold.
    fn range(self) -> RangeInclusive<i128> {
        match self {
            Self::U8 => 0..=u8::MAX.into(),
            Self::U16 => 0..=u16::MAX.into(),
            Self::U32 => 0..=u32::MAX.into(),
            Self::U64 => 0..=u64::MAX.into(),
            Self::I16 => i16::MIN.into()..=i16::MAX.into(),
            _ => i64::MIN.into()..=i64::MAX.into(),
        }
    }
}

/// A column: its name in `snake_case`, its type, and whether a cell may be empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    name: String,
    kind: ColumnType,
    nullable: bool,
}

impl Column {
    /// Creates a column without empty cells.
    pub fn new(name: impl Into<String>, kind: ColumnType) -> Self {
        Self { name: name.into(), kind, nullable: false }
    }

    /// Allows empty cells.
    #[must_use]
    pub fn or_null(self) -> Self {
        Self { nullable: true, ..self }
    }
}

/// Figures may be unknown, so that a column of [`ColumnType::Real`] may have empty cells.
impl From<&(&str, ColumnType)> for Column {
    fn from(&(name, kind): &(&str, ColumnType)) -> Self {
        Self { name: name.to_owned(), kind, nullable: kind == ColumnType::Real }
    }
}

impl From<&Self> for Column {
    fn from(column: &Self) -> Self {
        column.clone()
    }
}

/// The value of a cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// An unknown or missing value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Whole(i128),
    /// A number; [`Cell::Null`] if it is not one (NaN).
    Real(f64),
    /// A text.
    Text(String),
}

macro_rules! whole_cells {
    ($($number:ty)*) => {
        $(impl From<$number> for Cell {
            fn from(value: $number) -> Self {
                Self::Whole(value.into())
            }
        })*
    };
}

whole_cells!(u8 u16 u32 u64 i16 i64);

impl From<bool> for Cell {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        if value.is_nan() { Self::Null } else { Self::Real(value) }
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

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The values of a row group, without the empty cells.
enum ColumnValues {
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Real(Vec<f64>),
    Text(Vec<ByteArray>),
}

/// A column with the cells that are not written yet.
struct Buffer {
    column: Column,
    values: ColumnValues,
    /// For a column that may have empty cells: 1 for every cell with a value, 0 for an empty one.
    levels: Vec<i16>,
}

impl Buffer {
    fn new(column: Column) -> Self {
        let values = match column.kind {
            ColumnType::Bool => ColumnValues::Bool(Vec::new()),
            ColumnType::U8 | ColumnType::U16 | ColumnType::U32 | ColumnType::I16 => {
                ColumnValues::Int32(Vec::new())
            }
            ColumnType::U64 | ColumnType::Whole => ColumnValues::Int64(Vec::new()),
            ColumnType::Real => ColumnValues::Real(Vec::new()),
            ColumnType::Text => ColumnValues::Text(Vec::new()),
        };
        Self { column, values, levels: Vec::new() }
    }

    /// Returns `true` if the column can hold the cell.
    fn takes(&self, cell: &Cell) -> bool {
        match (cell, &self.values) {
            (Cell::Null, _) => self.column.nullable,
            (Cell::Whole(value), ColumnValues::Int32(_) | ColumnValues::Int64(_)) => {
                self.column.kind.range().contains(value)
            }
            (Cell::Bool(_), ColumnValues::Bool(_))
            | (Cell::Real(_), ColumnValues::Real(_))
            | (Cell::Text(_), ColumnValues::Text(_)) => true,
            _ => false,
        }
    }

    /// Appends a cell that fits, and writes it as a field of a CSV line.
    fn push(&mut self, cell: Cell, line: &mut String) {
        if self.column.nullable {
            self.levels.push((cell != Cell::Null).into());
        }
        // Writing to a string can't fail.
        let _ = match (&mut self.values, cell) {
            (ColumnValues::Bool(values), Cell::Bool(value)) => {
                values.push(value);
                write!(line, "{value}")
            }
            // Parquet stores unsigned numbers as the signed ones with the same bits.
            (ColumnValues::Int32(values), Cell::Whole(value)) => {
                values.push(value as i32);
                write!(line, "{value}")
            }
            (ColumnValues::Int64(values), Cell::Whole(value)) => {
                values.push(value as i64);
                write!(line, "{value}")
            }
            (ColumnValues::Real(values), Cell::Real(value)) => {
                values.push(value);
                write!(line, "{value}")
            }
            (ColumnValues::Text(values), Cell::Text(value)) => {
                // Where an empty field is an empty cell, an empty text needs quotes.
                line.push_str(if value.is_empty() && self.column.nullable { "\"\"" } else { "" });
                line.push_str(&quoted(&value));
                values.push(ByteArray::from(value.into_bytes()));
                Ok(())
            }
            _ => Ok(()),
        };
    }

    fn write(&mut self, mut writer: SerializedColumnWriter<'_>) -> parquet::errors::Result<()> {
        fn write<T: DataType>(
            writer: &mut SerializedColumnWriter<'_>,
            values: &mut Vec<T::T>,
            levels: Option<&[i16]>,
        ) -> parquet::errors::Result<()> {
            writer.typed::<T>().write_batch(values, levels, None)?;
            values.clear();
            Ok(())
        }
        let levels = self.column.nullable.then_some(&self.levels[..]);
        match &mut self.values {
            ColumnValues::Bool(values) => write::<BoolType>(&mut writer, values, levels)?,
            ColumnValues::Int32(values) => write::<Int32Type>(&mut writer, values, levels)?,
            ColumnValues::Int64(values) => write::<Int64Type>(&mut writer, values, levels)?,
            ColumnValues::Real(values) => write::<DoubleType>(&mut writer, values, levels)?,
            ColumnValues::Text(values) => write::<ByteArrayType>(&mut writer, values, levels)?,
        }
        self.levels.clear();
        writer.close()
    }
}

/// Writes rows into `NAME.csv` and `NAME.parquet`. Memory does not grow with the number of rows.
///
/// An empty cell is an empty field in CSV and null in Parquet.
///
/// ```
/// use ttr_sim::run::rows::{Cell, Column, ColumnType, RowWriter};
/// # let folder = std::env::temp_dir().join(format!("ttr-rows-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let columns = [Column::new("seat", ColumnType::U8), Column::new("agent", ColumnType::Text).or_null()];
/// let mut rows = RowWriter::create(&folder, "seats", &columns)?;
/// rows.row([1u8.into(), "random".into()])?;
/// rows.row([2u8.into(), "a, \"b\"".into()])?;
/// rows.row([3u8.into(), Cell::Null])?;
/// assert!(rows.row([256u16.into(), Cell::Null]).is_err());
/// rows.finish()?;
/// let csv = std::fs::read_to_string(folder.join("seats.csv"))?;
/// assert_eq!(csv, "seat,agent\n1,random\n2,\"a, \"\"b\"\"\"\n3,\n");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RowWriter {
    folder: PathBuf,
    name: String,
    csv: Pending,
    parquet: SerializedFileWriter<Pending>,
    columns: Vec<Buffer>,
    rows: usize,
}

impl RowWriter {
    /// Creates both files.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn create<'c, C>(folder: &Path, name: &str, columns: &'c [C]) -> Result<Self, FileError>
    where
        Column: From<&'c C>,
    {
        let columns: Vec<Column> = columns.iter().map(Column::from).collect();
        let pending = |ending: &str| {
            let path = folder.join(format!("{name}.{ending}"));
            Pending::create(&path).map_err(FileAction::Write.failed(&path))
        };
        let mut csv = pending("csv")?;
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        writeln!(csv, "{}", names.join(",")).map_err(FileAction::Write.failed(csv.target()))?;
        let field = |Column { name, kind, nullable }: &Column| {
            let (physical, logical) = kind.parquet();
            let repetition = if *nullable { "OPTIONAL" } else { "REQUIRED" };
            format!("{repetition} {physical} {name} {logical};")
        };
        let schema = format!("message {name} {{ {} }}", columns.iter().map(field).collect::<String>());
        let parquet = pending("parquet")?;
        let path = parquet.target().to_owned();
        let compression = Compression::ZSTD(ZstdLevel::default());
        let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
        let parquet = parse_message_type(&schema)
            .and_then(|schema| SerializedFileWriter::new(parquet, Arc::new(schema), properties))
            .map_err(unwritable(&path))?;
        Ok(Self {
            folder: folder.to_owned(),
            name: name.to_owned(),
            csv,
            parquet,
            columns: columns.into_iter().map(Buffer::new).collect(),
            rows: 0,
        })
    }

    /// Adds a key and value to the metadata of the Parquet file.
    pub fn describe(&mut self, key: &str, value: &str) {
        self.parquet.append_key_value_metadata(KeyValue::new(key.to_owned(), value.to_owned()));
    }

    /// Writes a row.
    ///
    /// # Errors
    /// If it can't be written, or a cell does not fit its column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) -> Result<(), FileError> {
        let cells: Vec<Cell> = cells.into_iter().collect();
        let fits = cells.len() == self.columns.len()
            && self.columns.iter().zip(&cells).all(|(column, cell)| column.takes(cell));
        if !fits {
            let why = format!("{cells:?} does not fit the columns of {}", self.name);
            let why = io::Error::new(io::ErrorKind::InvalidInput, why);
            return Err(FileAction::Write.failed(self.csv.target())(why));
        }
        let mut line = String::new();
        for (index, (column, cell)) in self.columns.iter_mut().zip(cells).enumerate() {
            if index > 0 {
                line.push(',');
            }
            column.push(cell, &mut line);
        }
        line.push('\n');
        self.csv.write_all(line.as_bytes()).map_err(FileAction::Write.failed(self.csv.target()))?;
        self.rows += 1;
        if self.rows == GROUP { self.write_group() } else { Ok(()) }
    }

    /// Renames the files to their final names.
    ///
    /// # Errors
    /// If they can't be written to their end.
    pub fn finish(mut self) -> Result<(), FileError> {
        self.write_group()?;
        let parquet = self.parquet_path();
        let csv = self.csv.target().to_owned();
        self.csv.finish().map_err(FileAction::Write.failed(&csv))?;
        let closed = self.parquet.into_inner().map_err(unwritable(&parquet))?;
        closed.finish().map_err(FileAction::Write.failed(&parquet))
    }

    fn parquet_path(&self) -> PathBuf {
        self.folder.join(format!("{}.parquet", self.name))
    }

    fn write_group(&mut self) -> Result<(), FileError> {
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        self.try_write_group().map_err(unwritable(&self.parquet_path()))
    }

    fn try_write_group(&mut self) -> parquet::errors::Result<()> {
        let mut group = self.parquet.next_row_group()?;
        for column in &mut self.columns {
            let Some(writer) = group.next_column()? else { break };
            column.write(writer)?;
        }
        group.close()?;
        Ok(())
    }
}

/// The error of a Parquet file that can't be written.
fn unwritable(path: &Path) -> impl FnOnce(ParquetError) -> FileError {
    let failed = FileAction::Write.failed(path);
    move |error| failed(io::Error::other(error))
}

/// A text as a CSV field. This does not use the csv crate: its writer can't put quotes around an empty text
/// and leave an empty cell without.
fn quoted(text: &str) -> String {
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

    /// A table in its own folder, as CSV, and the cells of its Parquet file.
    fn written(
        name: &str,
        columns: &[Column],
        fill: impl FnOnce(&mut RowWriter),
    ) -> (String, Vec<Vec<String>>, usize) {
        let folder = std::env::temp_dir().join(format!("ttr-rows-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut rows = RowWriter::create(&folder, "table", columns).unwrap();
        rows.describe("ttr.map", "usa");
        fill(&mut rows);
        rows.finish().unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "no temporary file is left");
        let reader =
            SerializedFileReader::new(std::fs::File::open(folder.join("table.parquet")).unwrap()).unwrap();
        let known = reader.metadata().file_metadata().key_value_metadata().unwrap();
        assert!(known.contains(&KeyValue::new("ttr.map".to_owned(), "usa".to_owned())), "{known:?}");
        let cells =
            |row: parquet::record::Row| row.get_column_iter().map(|(_, cell)| cell.to_string()).collect();
        let cells = reader.get_row_iter(None).unwrap().map(|row| cells(row.unwrap())).collect();
        let csv = std::fs::read_to_string(folder.join("table.csv")).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        (csv, cells, reader.metadata().num_row_groups())
    }

    #[test]
    fn empty_cells_and_empty_texts_differ() {
        let columns = [
            Column::new("t", ColumnType::Text),
            Column::new("maybe", ColumnType::Text).or_null(),
            Column::new("n", ColumnType::U8).or_null(),
            Column::from(&("x", ColumnType::Real)),
        ];
        let (csv, cells, _) = written("empty", &columns, |rows| {
            rows.row(["".into(), "".into(), Cell::Null, f64::NAN.into()]).unwrap();
            rows.row(["a".into(), Cell::Null, 7u8.into(), 0.5.into()]).unwrap();
            assert!(rows.row([Cell::Null, Cell::Null, Cell::Null, Cell::Null]).is_err());
        });
        assert_eq!(csv, "t,maybe,n,x\n,\"\",,\na,,7,0.5\n");
        assert_eq!(cells, [["\"\"", "\"\"", "null", "null"], ["\"a\"", "null", "7", "0.5"]]);
    }

    #[test]
    fn numbers_keep_to_their_range() {
        let ends: [(ColumnType, i128, i128); 6] = [
            (ColumnType::U8, 0, 255),
            (ColumnType::U16, 0, 65_535),
            (ColumnType::U32, 0, 4_294_967_295),
            (ColumnType::U64, 0, u64::MAX.into()),
            (ColumnType::I16, -32_768, 32_767),
            (ColumnType::Whole, i64::MIN.into(), i64::MAX.into()),
        ];
        let columns = ends.map(|(kind, ..)| Column::new(format!("{kind:?}").to_lowercase(), kind));
        let (csv, cells, _) = written("range", &columns, |rows| {
            rows.row(ends.map(|(_, low, _)| Cell::Whole(low))).unwrap();
            rows.row(ends.map(|(.., high)| Cell::Whole(high))).unwrap();
            for at in 0..ends.len() {
                for beyond in [ends[at].1 - 1, ends[at].2 + 1] {
                    let mut cells = ends.map(|(_, low, _)| Cell::Whole(low));
                    cells[at] = Cell::Whole(beyond);
                    assert!(rows.row(cells).is_err(), "{beyond} as {:?}", ends[at].0);
                }
            }
        });
        let lines: Vec<&str> = csv.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "0,0,0,0,-32768,-9223372036854775808",
                "255,65535,4294967295,18446744073709551615,32767,9223372036854775807"
            ]
        );
        assert_eq!(cells.iter().map(|row| row.join(",")).collect::<Vec<_>>(), lines);
    }

    #[test]
    fn parquet_has_the_same_rows() {
        let columns = [("n", ColumnType::Whole), ("x", ColumnType::Real), ("t", ColumnType::Text)]
            .map(|column| Column::from(&column));
        let count = GROUP as i64 + 10;
        let (csv, cells, groups) = written("same", &columns, |rows| {
            for n in 0..count {
                let x = if n % 3 == 0 { f64::NAN } else { n as f64 / 4.0 };
                rows.row([n.into(), x.into(), format!("row {n}").into()]).unwrap();
            }
            assert!(rows.row([1i64.into()]).is_err());
        });
        assert_eq!((groups, cells.len() as i64, csv.lines().count() as i64), (2, count, count + 1));
        for (cells, line) in cells.iter().zip(csv.lines().skip(1)) {
            let [n, x, t] = &cells[..] else { panic!("three columns") };
            let x = x.parse::<f64>().map_or_else(|_| String::new(), |x| x.to_string());
            assert_eq!(format!("{n},{x},{}", t.trim_matches('"')), line);
        }
    }
}
