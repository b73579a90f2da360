import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { parseJson } from '../parse-json.ts'
import { hasErrorCode, orWhenMissing } from '../system-errors.ts'

const folderFile = z.object({
  id: z.uuid(),
  /** The system identifier of the database's cluster. */
  cluster: z.string(),
  /** The database's oid. */
  database: z.string(),
  siteUrl: z.string(),
  epoch: z.int(),
  /** The file's own inode: a copy has another one. */
  inode: z.string(),
})

/** Says to which database and site a folder belongs. */
export type FolderFile = Omit<z.infer<typeof folderFile>, 'inode'>

export type FoundFolder =
  | { state: 'missing' }
  | { state: 'unreadable' }
  | { state: 'copied' | 'valid'; file: FolderFile }

const fileName = 'folder.json'

export async function readFolderFile(folder: string): Promise<FoundFolder> {
  const place = path.join(folder, fileName)
  const text = await orWhenMissing(readFile(place, 'utf8'), null)
  if (text === null) return { state: 'missing' }
  const parsed = folderFile.safeParse(parseJson(text))
  if (!parsed.success) return { state: 'unreadable' }
  const { inode, ...file } = parsed.data
  return { state: String((await stat(place)).ino) === inode ? 'valid' : 'copied', file }
}

/** Creates the file unless another process does. Returns the file that there is. */
export async function createFolderFile(folder: string, file: FolderFile): Promise<FoundFolder> {
  await writeAside(folder, file, async (aside, place) => {
    try {
      await link(aside, place)
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) throw error
    }
    await rm(aside)
  })
  return await readFolderFile(folder)
}

export async function replaceFolderFile(folder: string, file: FolderFile): Promise<void> {
  await writeAside(folder, file, rename)
}

/** Writes and flushes a file, and moves it into place, so that it is never seen incomplete. */
async function writeAside(
  folder: string,
  file: FolderFile,
  move: (aside: string, place: string) => Promise<void>,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const aside = path.join(folder, `${fileName}.${process.pid}.${process.hrtime.bigint()}`)
  try {
    await using handle = await open(aside, 'wx', 0o600)
    const inode = String((await handle.stat()).ino)
    await handle.writeFile(`${JSON.stringify({ ...file, inode }, null, 2)}\n`)
    await handle.sync()
    await move(aside, path.join(folder, fileName))
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}
