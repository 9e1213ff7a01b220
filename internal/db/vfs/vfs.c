// vfs.go says what is different about these files.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What https://sqlite.org/c3ref/vfs.html and io_methods.html promise to keep; SQLite's
// header lies in the module that compiles it, where no other finds it.
typedef long long int64;
typedef struct vfs vfs;
typedef struct file file;

typedef struct {
  int version;
  int (*close)(file *);
  int (*read)(file *, void *, int, int64);
  int (*write)(file *, const void *, int, int64);
  int (*truncate)(file *, int64);
  int (*sync)(file *, int);
  int (*size)(file *, int64 *);
  int (*lock)(file *, int);
  int (*unlock)(file *, int);
  int (*reserved)(file *, int *);
  int (*control)(file *, int, void *);
  int (*sector)(file *);
  int (*traits)(file *);
  // From here on of a database alone.
  int (*shareMap)(file *, int, int, int, void volatile **);
  int (*shareLock)(file *, int first, int n, int flags);
  void (*shareBarrier)(file *);
  int (*shareUnmap)(file *, int);
  int (*fetch)(file *, int64, int, void **);
  int (*unfetch)(file *, int64, void *);
} methods;

struct file {
  const methods *methods; // NULL = not open
};

struct vfs {
  int version, fileSize, longestPath;
  vfs *next;
  const char *name;
  void *own;
  int (*open)(vfs *, const char *, file *, int flags, int *given);
  void *others[15]; // of version 3
};

enum { OK = 0, NO_MEMORY = 7, NOT_FOUND = 12, SHORT_READ = 10 | 2 << 8 };
enum { NAMELESS = 0x00000008, DATABASE = 0x00000100, LOG = 0x00080000 }; // SQLITE_OPEN_DELETEONCLOSE, _MAIN_DB, _WAL
enum { CACHE = 18, GET_CACHE = 19, STATEMENT_SPILL = 26 };               // SQLITE_CONFIG_PCACHE2, _GETPCACHE2, _STMTJRNL_SPILL
enum { WRITERS_LOCK = 0, UNLOCK = 1 };                                   // https://sqlite.org/walformat.html, SQLITE_SHM_UNLOCK

// Weak, as Go links this package by itself for a moment to see what it needs.
extern int sqlite3_config(int, ...) __attribute__((weak));
extern vfs *sqlite3_vfs_find(const char *) __attribute__((weak));
extern int sqlite3_vfs_register(vfs *, int) __attribute__((weak));
extern file *sqlite3_database_file_object(const char *) __attribute__((weak));

static vfs *disk;

// The log.

enum {
  HELD_MAX = 1 << 20,
  PART_MAX = 120 << 10, // SQLite writes less than 128 KiB at once and takes what is left for a full disk
};

typedef struct database database;

typedef struct {
  file base;
  char *held; // of what was written the last bytes, which follow each other
  int length;
  int64 at;
  file *real; // lies behind this
  database *of;
} logFile;

// What lies behind the disk's file of a database.
struct database {
  methods own;
  const methods *real;
  logFile *log; // NULL = not open
};

static database *databaseOf(file *p) { return (database *)((char *)p + disk->fileSize); }

static int writeHeld(logFile *f) {
  for (int done = 0; done < f->length;) {
    int part = f->length - done;
    if (part > PART_MAX) part = PART_MAX;
    int failed = f->real->methods->write(f->real, f->held + done, part, f->at + done);
    if (failed) return failed;
    done += part;
  }
  f->length = 0;
  return OK;
}

static int logWrite(file *p, const void *from, int n, int64 at) {
  logFile *f = (logFile *)p;
  if (f->held == NULL) f->held = malloc(HELD_MAX);
  if (f->length > 0 && (at != f->at + f->length || n > HELD_MAX - f->length)) {
    int failed = writeHeld(f);
    if (failed) return failed;
  }
  if (f->held == NULL || n > HELD_MAX) return f->real->methods->write(f->real, from, n, at);
  if (f->length == 0) f->at = at;
  memcpy(f->held + f->length, from, n);
  f->length += n;
  return OK;
}

static int logRead(file *p, void *to, int n, int64 at) {
  logFile *f = (logFile *)p;
  int failed = writeHeld(f);
  return failed ? failed : f->real->methods->read(f->real, to, n, at);
}

static int logTruncate(file *p, int64 size) {
  logFile *f = (logFile *)p;
  int failed = writeHeld(f);
  return failed ? failed : f->real->methods->truncate(f->real, size);
}

static int logSync(file *p, int flags) {
  logFile *f = (logFile *)p;
  int failed = writeHeld(f);
  // The transaction is undone: once there is room again, nobody shall find it whole.
  f->length = 0;
  return failed ? failed : f->real->methods->sync(f->real, flags);
}

static int logSize(file *p, int64 *size) {
  logFile *f = (logFile *)p;
  int failed = writeHeld(f);
  return failed ? failed : f->real->methods->size(f->real, size);
}

static int logClose(file *p) {
  logFile *f = (logFile *)p;
  free(f->held); // what no sync followed is in no transaction that was committed
  f->of->log = NULL;
  return f->real->methods->close(f->real);
}

static int logLock(file *p, int level) { return ((logFile *)p)->real->methods->lock(((logFile *)p)->real, level); }
static int logUnlock(file *p, int level) { return ((logFile *)p)->real->methods->unlock(((logFile *)p)->real, level); }
static int logReserved(file *p, int *is) { return ((logFile *)p)->real->methods->reserved(((logFile *)p)->real, is); }
static int logControl(file *p, int op, void *with) { return ((logFile *)p)->real->methods->control(((logFile *)p)->real, op, with); }
static int logSector(file *p) { return ((logFile *)p)->real->methods->sector(((logFile *)p)->real); }
static int logTraits(file *p) { return ((logFile *)p)->real->methods->traits(((logFile *)p)->real); }

static const methods logMethods = {
    .version = 1,
    .close = logClose,
    .read = logRead,
    .write = logWrite,
    .truncate = logTruncate,
    .sync = logSync,
    .size = logSize,
    .lock = logLock,
    .unlock = logUnlock,
    .reserved = logReserved,
    .control = logControl,
    .sector = logSector,
    .traits = logTraits,
};

static int openLog(const char *name, file *p, int flags, int *given) {
  logFile *f = (logFile *)p;
  *f = (logFile){.real = (file *)(f + 1), .of = databaseOf(sqlite3_database_file_object(name))};
  int failed = disk->open(disk, name, f->real, flags, given);
  if (failed) return failed;
  f->base.methods = &logMethods;
  f->of->log = f;
  return OK;
}

// Whose turn it is next may write over what is held of a transaction that was undone.
static int shareLock(file *p, int first, int n, int flags) {
  database *d = databaseOf(p);
  if (first == WRITERS_LOCK && flags & UNLOCK && d->log) d->log->length = 0;
  return d->real->shareLock(p, first, n, flags);
}

static int openDatabase(const char *name, file *p, int flags, int *given) {
  int failed = disk->open(disk, name, p, flags, given);
  if (failed) return failed;
  database *d = databaseOf(p);
  *d = (database){.own = *p->methods, .real = p->methods};
  if (d->own.version > 3) d->own.version = 3;
  d->own.shareLock = shareLock;
  p->methods = &d->own;
  return OK;
}

// Files without a name.

enum { PIECE = 64 << 10, SPARE_MAX = 64 };

// Spare pieces are kept: what an act's savepoint holds is there for a millisecond, again
// and again, and to have memory from the system each time costs more than to fill it.
static pthread_mutex_t sparing = PTHREAD_MUTEX_INITIALIZER;
static char *spare[SPARE_MAX];
static int spares;

static char *takePiece(void) {
  char *piece = NULL;
  pthread_mutex_lock(&sparing);
  if (spares > 0) piece = spare[--spares];
  pthread_mutex_unlock(&sparing);
  return piece ? piece : malloc(PIECE);
}

static void givePiece(char *piece) {
  pthread_mutex_lock(&sparing);
  if (spares < SPARE_MAX) {
    spare[spares++] = piece;
    piece = NULL;
  }
  pthread_mutex_unlock(&sparing);
  free(piece);
}

typedef struct {
  file base;
  char **pieces;
  int count, room;
  int64 size;
} memoryFile;

// within is how many of n bytes from a place on lie in its piece.
static int within(int64 at, int n) {
  int left = PIECE - (int)(at % PIECE);
  return n < left ? n : left;
}

static int memoryRead(file *p, void *to, int n, int64 at) {
  memoryFile *f = (memoryFile *)p;
  int there = at >= f->size ? 0 : f->size - at < n ? (int)(f->size - at) : n;
  memset((char *)to + there, 0, n - there);
  for (int done = 0; done < there;) {
    int part = within(at + done, there - done);
    memcpy((char *)to + done, f->pieces[(at + done) / PIECE] + (at + done) % PIECE, part);
    done += part;
  }
  return there < n ? SHORT_READ : OK;
}

static int grow(memoryFile *f) {
  if (f->count == f->room) {
    int room = f->room ? 2 * f->room : 16;
    char **pieces = realloc(f->pieces, room * sizeof *pieces);
    if (pieces == NULL) return NO_MEMORY;
    f->pieces = pieces;
    f->room = room;
  }
  char *piece = takePiece();
  if (piece == NULL) return NO_MEMORY;
  f->pieces[f->count++] = piece;
  return OK;
}

static int memoryWrite(file *p, const void *from, int n, int64 at) {
  memoryFile *f = (memoryFile *)p;
  while ((int64)f->count * PIECE < at + n) {
    int failed = grow(f);
    if (failed) return failed;
  }
  while (f->size < at) { // what was left out is zero
    int part = within(f->size, at - f->size < PIECE ? (int)(at - f->size) : PIECE);
    memset(f->pieces[f->size / PIECE] + f->size % PIECE, 0, part);
    f->size += part;
  }
  for (int done = 0; done < n;) {
    int part = within(at + done, n - done);
    memcpy(f->pieces[(at + done) / PIECE] + (at + done) % PIECE, (const char *)from + done, part);
    done += part;
  }
  if (f->size < at + n) f->size = at + n;
  return OK;
}

static int memoryTruncate(file *p, int64 size) {
  memoryFile *f = (memoryFile *)p;
  if (size >= f->size) return OK;
  while ((int64)(f->count - 1) * PIECE >= size) givePiece(f->pieces[--f->count]);
  f->size = size;
  return OK;
}

static int memorySize(file *p, int64 *size) {
  *size = ((memoryFile *)p)->size;
  return OK;
}

static int memoryClose(file *p) {
  memoryFile *f = (memoryFile *)p;
  while (f->count > 0) givePiece(f->pieces[--f->count]);
  free(f->pieces);
  return OK;
}

static int memoryReserved(file *p, int *is) {
  *is = 0;
  return OK;
}

static int memorySync(file *p, int flags) { return OK; }
static int memoryLock(file *p, int level) { return OK; }
static int memoryControl(file *p, int op, void *with) { return NOT_FOUND; }
static int memorySector(file *p) { return 512; }
static int memoryTraits(file *p) { return 0; }

static const methods memoryMethods = {
    .version = 1,
    .close = memoryClose,
    .read = memoryRead,
    .write = memoryWrite,
    .truncate = memoryTruncate,
    .sync = memorySync,
    .size = memorySize,
    .lock = memoryLock,
    .unlock = memoryLock,
    .reserved = memoryReserved,
    .control = memoryControl,
    .sector = memorySector,
    .traits = memoryTraits,
};

static int openMemory(file *p, int flags, int *given) {
  *(memoryFile *)p = (memoryFile){.base = {&memoryMethods}};
  if (given) *given = flags;
  return OK;
}

static int openFile(vfs *v, const char *name, file *p, int flags, int *given) {
  if (name == NULL && flags & NAMELESS) return openMemory(p, flags, given);
  if (flags & LOG) return openLog(name, p, flags, given);
  if (flags & DATABASE) return openDatabase(name, p, flags, given);
  return disk->open(disk, name, p, flags, given);
}

static vfs ours;
_Static_assert(sizeof(logFile) <= sizeof(database) && sizeof(memoryFile) <= sizeof(database), "a file has no room");

// The cache of pages.

// What https://sqlite.org/c3ref/pcache_methods2.html promises to keep.
typedef struct {
  int version;
  void *own;
  int (*begin)(void *);
  void (*end)(void *);
  void *(*create)(int page, int extra, int purgeable);
  void (*limit)(void *, int);
  int (*count)(void *);
  void *(*fetch)(void *, unsigned, int);
  void (*unpin)(void *, void *, int);
  void (*rename)(void *, void *, unsigned from, unsigned to);
  void (*truncate)(void *, unsigned);
  void (*destroy)(void *);
  void (*shrink)(void *);
} cacheMethods;

typedef struct {
  void *real;
  unsigned lockPage; // at 1 GiB; no database has a page of this number
} cache;

static cacheMethods real;

static void *createCache(int page, int extra, int purgeable) {
  cache *c = malloc(sizeof(cache));
  if (c == NULL) return NULL;
  *c = (cache){real.create(page, extra, purgeable), (1u << 30) / page + 1};
  if (c->real == NULL) {
    free(c);
    return NULL;
  }
  return c;
}

// As SQLite sorts siblings it names a page for a moment by the number of the lock page. A
// cache that has seen it walks through all its pages at the next commit, for those behind
// the database's last. No page has the number 0 either.
static void renamePage(void *p, void *page, unsigned from, unsigned to) {
  cache *c = p;
  real.rename(c->real, page, from == c->lockPage ? 0 : from, to == c->lockPage ? 0 : to);
}

static void destroyCache(void *p) {
  real.destroy(((cache *)p)->real);
  free(p);
}

static void limitCache(void *p, int pages) { real.limit(((cache *)p)->real, pages); }
static int countPages(void *p) { return real.count(((cache *)p)->real); }
static void *fetchPage(void *p, unsigned n, int create) { return real.fetch(((cache *)p)->real, n, create); }
static void unpinPage(void *p, void *page, int discard) { real.unpin(((cache *)p)->real, page, discard); }
static void truncateCache(void *p, unsigned n) { real.truncate(((cache *)p)->real, n); }
static void shrinkCache(void *p) { real.shrink(((cache *)p)->real); }

static int registerCache(void) {
  int failed = sqlite3_config(GET_CACHE, &real);
  if (failed) return failed;
  cacheMethods ours = {1, real.own, real.begin, real.end, createCache, limitCache, countPages, fetchPage, unpinPage, renamePage, truncateCache, destroyCache, shrinkCache};
  return sqlite3_config(CACHE, &ours);
}

int registerVFS(const char *name) {
  int failed = registerCache();
  // Else SQLite would keep the first bytes by itself, and the others in a file.
  if (!failed) failed = sqlite3_config(STATEMENT_SPILL, 0);
  if (failed) return failed;
  disk = sqlite3_vfs_find(NULL);
  if (disk == NULL || disk->version < 3) return NOT_FOUND;
  ours = *disk;
  ours.version = 3;
  ours.name = name;
  ours.next = NULL;
  ours.fileSize += sizeof(database);
  ours.open = openFile;
  return sqlite3_vfs_register(&ours, 0);
}
