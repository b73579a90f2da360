import type { Correction, MemoSave } from '@tidings/contracts/desk/writing'
import { type EditionRow, idOf, keyOf } from '#features/editions/index.ts'
import { fieldVersionsOf, type MemoService, memoFields, missingFields } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { hasCode } from '#platform/errors.ts'
import { mapDefined } from '#platform/fields.ts'
import type { Audit } from '../changes/changes.service.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { cleanedReply, type DeskReply, replyWith, versionedReply } from '../desk-reply.ts'
import { announce, toActor } from '../events/announce.ts'
import { requireScope } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'
import { keepDeleted } from './deleted-memos.repository.ts'
import { compareSave, createMemoStore, refuseClash } from './memo-saves.ts'
import {
  changedFields,
  listOrder,
  lockMemoState,
  type MemoState,
  readMemoState,
  toWorkingCopy,
} from './memo-state.ts'
import { addVersion, recordSession } from './text-versions.repository.ts'
import { type MemoCopy, removeMemoCopy } from './working-copies.repository.ts'

type Deps = Pick<DeskDeps, 'database' | 'changes' | 'media' | 'siteLanguage' | 'clock'> & {
  memos: MemoService
  /** Plans the delivery of a memo that joins an edition, in the same transaction. */
  planMemo: (tx: Db, edition: EditionRow) => Promise<unknown>
}

export type MemoWriting = ReturnType<typeof createMemoWriting>

/** Lets people write memos: saves that readers of a published edition don't see, and their publication. */
export function createMemoWriting(deps: Deps) {
  const { database, changes, siteLanguage, clock, memos, planMemo } = deps
  const storeText = createMemoStore(deps)

  async function view(db: Db, id: string) {
    const state = await readMemoState(db, id)
    return toWorkingCopy(state, await listOrder(db, state.edition.id))
  }

  /** Stores a save, unless it changes nothing. Returns the fields that others saved meanwhile. */
  async function saveText(
    tx: Db,
    { editor }: Requester,
    state: MemoState,
    change: { save: MemoSave; read: number; audit: Audit },
  ): Promise<string[]> {
    const comparison = compareSave(state, change.save, siteLanguage)
    const { text, fields, isReady } = comparison
    await refuseClash(tx, state, fields, change.read)
    const subject = keyOf(idOf(state.edition))
    if (fields.length > 0 || isReady !== state.isReady) {
      await storeText(tx, editor, state, comparison)
      const version = (await readMemoState(tx, state.id)).version
      await announce(tx, { type: 'saved', memo: state.id, edition: subject, version, by: toActor(editor) })
    }
    if (fields.length > 0) {
      const session = { textId: state.id, before: state.text, after: text, by: editor, now: clock.now() }
      const begins = await recordSession(tx, session)
      if (begins) await change.audit('memo.write', subject, { memo: state.id, title: text.title })
    }
    if (isReady !== state.isReady)
      await change.audit('memo.ready', subject, { memo: state.id, title: text.title, ready: isReady })
    return Object.entries(state.fieldVersions)
      .filter(([field, version]) => version > change.read && !fields.includes(field))
      .map(([field]) => field)
  }

  /** Makes a text public: a new memo of its edition, or a correction of one that readers have. */
  async function makePublic(
    tx: Db,
    { editor: by }: Requester,
    { state, copy, note }: { state: MemoState; copy: MemoCopy; note: string },
  ): Promise<void> {
    const { edition, memo, text, isReady } = state
    const fieldsOf = memoFields(text.language || siteLanguage)
    if (memo === null) {
      const order = await listOrder(tx, edition.id)
      await removeMemoCopy(tx, state.id)
      const columns = { ...mapDefined({ ...text, ready: isReady }, fieldsOf), id: state.id }
      await memos.add(tx, edition, columns, { position: order.indexOf(state.id) + 1, by })
      await planMemo(tx, edition)
      return
    }
    const fields = Object.keys(copy.changed)
    // A script may have corrected the same field since the working copy began.
    const publicState = { ...state, fieldVersions: fieldVersionsOf(memo.fieldVersions) }
    await refuseClash(tx, publicState, fields, copy.baseVersion)
    await removeMemoCopy(tx, state.id)
    const columns = mapDefined<typeof fieldsOf>({ ...changedFields(copy), ready: isReady }, fieldsOf)
    const noted = note === '' ? {} : { note, notedAt: clock.now() }
    await memos.change(tx, edition, memo, { ...columns, ...noted }, { by, fields, atLeast: copy.version })
  }

  return {
    async read(id: string): Promise<DeskReply> {
      return versionedReply(await view(database.db, id))
    },

    /** Saves fields, which merge with what others saved. Throws `version-conflict` for another text of the same field. */
    async save(requester: Requester, id: string, save: MemoSave, read: number | null): Promise<DeskReply> {
      const { memo_content, media_text } = save
      const reply = async (db: Db, others: { merged: string[]; version?: number }) =>
        cleanedReply({ ...(await view(db, id)), ...others }, 200, { memo_content, media_text })
      const commit = async (tx: Db, audit: Audit) => {
        const state = await lockMemoState(tx, id)
        if (state.edition.status === 'scheduled') requireScope(requester.editor, 'publish')
        if (read === null) throw fail('version-required')
        return await reply(tx, { merged: await saveText(tx, requester, state, { save, read, audit }) })
      }
      try {
        return await changes.runSave(requester, commit, (tx, saved) =>
          reply(tx, { merged: [], version: saved }),
        )
      } catch (error) {
        if (hasCode(error, 'version-conflict')) await keepRefused(requester, id, save)
        throw error
      }
    },

    /** Makes the changes of a memo public. Throws `incomplete` if readers would miss something. */
    async publish(
      requester: Requester,
      id: string,
      body: Correction,
      version: number | null,
    ): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const state = await lockMemoState(tx, id)
        requireVersion(version, state.version)
        const { edition, memo, copy, text } = state
        if (copy === null || edition.status !== 'published') throw fail('working-copy-not-found')
        const missing = missingFields(text)
        const before = toWorkingCopy(state, await listOrder(tx, edition.id))
        if (missing.length > 0) throw fail('incomplete', [{ id, place: before.place, fields: missing }])
        await makePublic(tx, requester, { state, copy, note: body?.note ?? '' })
        const { editor: by } = requester
        await addVersion(tx, { textId: id, kind: 'published', fields: text, by, now: clock.now() })
        const action = memo === null ? 'memo.publish' : 'memo.correct'
        const details = { memo: id, title: text.title, changed: Object.keys(copy.changed), note: body?.note }
        await audit(action, keyOf(idOf(edition)), details)
        const reply = await view(tx, id)
        const saved = { type: 'saved', memo: id, edition: reply.edition, version: reply.version } as const
        await announce(tx, { ...saved, by: toActor(by) })
        return versionedReply(reply)
      })
    },

    /** Drops the changes that readers don't have. A memo that was never public is deleted. */
    async discard(requester: Requester, id: string, version: number | null): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const state = await lockMemoState(tx, id)
        requireVersion(version, state.version)
        const { edition, memo, copy, text } = state
        if (copy === null) throw fail('working-copy-not-found')
        const { editor: by } = requester
        const editionKey = keyOf(idOf(edition))
        const actor = toActor(by)
        if (memo === null) {
          const position = copy.place ?? 1
          const { createdAt } = copy
          const deleted = {
            id,
            editionKey,
            position,
            wasPublic: false,
            fields: text,
            version: copy.version,
            createdAt,
          }
          await keepDeleted(tx, { ...deleted, by, now: clock.now() })
          await announce(tx, { type: 'removed', memo: id, edition: editionKey, by: actor })
        } else {
          // Saves that are based on the dropped text are based on an earlier version from now on.
          const next = { by, fields: [], atLeast: copy.version }
          const stored = await memos.change(tx, edition, memo, {}, next)
          const saved = { type: 'saved', memo: id, edition: editionKey, version: stored.version } as const
          await announce(tx, { ...saved, by: actor })
        }
        await removeMemoCopy(tx, id)
        await audit(memo === null ? 'memo.withdraw' : 'memo.discard', editionKey, {
          memo: id,
          title: text.title,
        })
        return replyWith({ id })
      })
    },
  }

  /** Keeps a text that was refused, so that it is found among the versions. */
  async function keepRefused({ editor: by }: Requester, id: string, save: MemoSave): Promise<void> {
    await database.transaction(async (tx) => {
      const { text } = compareSave(await readMemoState(tx, id), save, siteLanguage)
      await addVersion(tx, { textId: id, kind: 'refused', fields: text, by, now: clock.now() })
    })
  }
}
