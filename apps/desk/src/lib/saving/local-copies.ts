import { currentTime, newId } from '#lib/browser/ambient.ts'
import { after } from '#lib/browser/timer.ts'
import { dropBriefly, keepBriefly, listBrief } from './brief-copies.ts'
import type { KeptWords } from './draft-state.ts'

const databaseName = 'tidings-desk'
const storeName = 'unsaved'
// A key is on the screen first, and doesn't wait for the database.
const keepPauseMs = 40
const storePauseMs = 300

/** Words of a text that a tab kept and never saved. */
export type LeftWords = { id: string; textId: string; tab: string; at: number; words: unknown }

/** This tab. It holds a lock of this name as long as it lives. */
const tab = newId()
if ('locks' in navigator) void navigator.locks.request(tab, () => new Promise(() => {}))

/** Words that the database doesn't have yet, by id. */
const pending = new Map<string, LeftWords>()
const briefly = new Map<string, Promise<void>>()
const storing = new Set<string>()

window.addEventListener('pagehide', () => {
  for (const left of pending.values()) keepBriefly(left.id, left)
})

/** Keeps the words of a text on this device, in place of those that this tab kept before. */
export async function keepWords(textId: string, words: KeptWords<object>): Promise<void> {
  const id = `${textId}/${tab}`
  pending.set(id, { id, textId, tab, at: currentTime(), words })
  const soon = briefly.get(id) ?? keepSoon(id)
  briefly.set(id, soon)
  await soon
}

/** Keeps the newest words of a text briefly, and a moment later in the database. */
async function keepSoon(id: string): Promise<void> {
  await new Promise<void>((resolve) => after(keepPauseMs, resolve))
  briefly.delete(id)
  const left = pending.get(id)
  if (left === undefined) return
  if (!keepBriefly(id, left)) await storePending(id)
  else if (!storing.has(id)) {
    storing.add(id)
    after(storePauseMs, () => void storePending(id).catch(keepBrief))
  }
}

async function storePending(id: string): Promise<void> {
  storing.delete(id)
  const left = pending.get(id)
  if (left === undefined) return
  await run('readwrite', (store) => store.put(left))
  // Newer words are kept briefly, and stored later.
  if (pending.get(id) !== left) return
  pending.delete(id)
  dropBriefly(id)
}

function keepBrief(): void {
  // Without the database, the brief copy stays.
}

/** Removes the words that this tab kept of a text. */
export async function forgetWords(textId: string): Promise<void> {
  await dropWords(`${textId}/${tab}`)
}

export async function dropWords(id: string): Promise<void> {
  pending.delete(id)
  dropBriefly(id)
  await run('readwrite', (store) => store.delete(id))
}

/** Returns the words of a text that tabs left behind when they were closed, newest first. */
export async function listLeftWords(textId: string): Promise<LeftWords[]> {
  const left = await readAll()
  const newer = listBrief().filter(isLeftWords)
  const older = left.filter(({ id }) => !newer.some((each) => each.id === id))
  const own = [...newer, ...older].filter((each) => each.textId === textId)
  const open = await openTabs()
  return own.filter((each) => !open.has(each.tab)).toSorted((a, b) => b.at - a.at)
}

/** Returns the words of all texts that this tab keeps because the server doesn't have them. */
export async function readUnsaved(): Promise<LeftWords[]> {
  const newer = [...pending.values()]
  const older = (await readAll()).filter(({ id }) => !pending.has(id))
  return [...newer, ...older].filter((each) => each.tab === tab).toSorted((a, b) => a.at - b.at)
}

/** Reads what the database has. Where it can't be used, brief copies are all there is. */
async function readAll(): Promise<LeftWords[]> {
  try {
    const all: unknown = await run('readonly', (store) => store.getAll())
    return Array.isArray(all) ? all.filter(isLeftWords) : []
  } catch {
    return []
  }
}

/** Returns the tabs that are open, which save their words themselves. */
async function openTabs(): Promise<Set<string>> {
  if (!('locks' in navigator)) return new Set([tab])
  const { held = [] } = await navigator.locks.query()
  return new Set([tab, ...held.map(({ name }) => name ?? '')])
}

function isLeftWords(value: unknown): value is LeftWords {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'textId' in value &&
    'tab' in value &&
    'words' in value
  )
}

async function run<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  const store = database.transaction(storeName, mode).objectStore(storeName)
  return await resultOf(work(store))
}

let opened: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  if (opened === null) {
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: 'id' })
    opened = resultOf(request)
  }
  return opened
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The device can’t keep words'))
  })
}
