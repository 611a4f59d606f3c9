//! A clamd with a configuration of our own. The tests compile this file as well, so it uses only the standard library.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where clamd may be installed, besides the folders of PATH.
const FOLDERS: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];

/// The file that every virus scanner reports. It is harmless. It is not in our sources in one piece, because a scanner of
/// this machine would report them.
pub(crate) fn eicar() -> String {
    let name = "EICAR-STANDARD-ANTIVIRUS-TEST-FILE";
    format!(r"X5O!P%@AP[4\PZX54(P^)7CC)7}}${name}!$H+H*")
}

/// The program `clamd`: in `tools`, in a folder of PATH, or where a system installs it.
pub(crate) fn find(tools: &Path) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [tools.to_owned()].into_iter().chain(env::split_paths(&path));
    let mut folders = folders.chain(FOLDERS.map(PathBuf::from));
    folders.find_map(|folder| Some(folder.join("clamd")).filter(|program| program.is_file()))
}

/// What the service needs of a clamd besides its sizes (`docs/operations/scanner.md`).
pub(crate) const NEEDED: &str = "MaxScanSize 600M\nMaxFiles 50000\nAlertExceedsMax yes\nAlertEncryptedDoc yes\n";

/// What differs between configurations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup<'a> {
    /// A folder for the configuration and for clamd's temporary files. It exists.
    pub(crate) folder: &'a Path,
    /// The port on 127.0.0.1.
    pub(crate) port: u16,
    /// The folder of a signature database. `None`: a database that knows only the EICAR file, anywhere in a document.
    pub(crate) database: Option<&'a Path>,
    /// The longest stream, such as `60M`.
    pub(crate) longest_stream: &'a str,
    /// The largest file that is looked through, such as `60M`.
    pub(crate) largest_file: &'a str,
    /// Further lines, such as [`NEEDED`].
    pub(crate) more: &'a str,
}

impl Setup<'_> {
    /// Writes the configuration, and returns its path.
    pub(crate) fn write(&self) -> io::Result<PathBuf> {
        let temporary = self.folder.join("tmp");
        fs::create_dir_all(&temporary)?;
        let database = match self.database {
            Some(database) => database.to_owned(),
            None => self.write_database()?,
        };
        let path = self.folder.join("clamd.conf");
        let (port, longest, largest) = (self.port, self.longest_stream, self.largest_file);
        let (temporary, database, more) = (temporary.display(), database.display(), self.more);
        let text = format!(
            "Foreground yes\nTCPAddr 127.0.0.1\nTCPSocket {port}\nDatabaseDirectory {database}\n\
             TemporaryDirectory {temporary}\nStreamMaxLength {longest}\nMaxFileSize {largest}\nMaxThreads 4\nSelfCheck 0\n\
             {more}"
        );
        fs::write(&path, text)?;
        Ok(path)
    }

    fn write_database(&self) -> io::Result<PathBuf> {
        let folder = self.folder.join("database");
        fs::create_dir_all(&folder)?;
        let bytes = eicar().into_bytes();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        // Any type of file, at any place in it.
        fs::write(folder.join("own.ndb"), format!("Overturn.Test.EICAR:0:*:{hex}\n"))?;
        Ok(folder)
    }
}
