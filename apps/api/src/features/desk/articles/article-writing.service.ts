import { type ArticleSave, articleText } from '@tidings/contracts/desk/writing/article-writing'
import { toArticleText, updateArticle } from '#features/articles/index.ts'
import type { Db } from '#platform/database.ts'
import { fieldVersionsOf } from '#platform/text/field-versions.ts'
import type { Audit } from '../changes/changes.service.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { cleanedReply, type DeskReply, replyWith, versionedReply } from '../desk-reply.ts'
import type { Editor } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'
import { changedCopy, changedFields, commitSave, mergedFields, refuseClash } from '../writing/text-saves.ts'
import { addVersion, recordSession, type WrittenHow } from '../writing/text-versions.repository.ts'
import { createTextVersions, type TextVersions } from '../writing/text-versions.service.ts'
import { removeCopy, storeArticleCopy } from '../writing/working-copies.repository.ts'
import { type ArticleState, lockArticleState, readArticleState, toWorkingCopy } from './article-state.ts'
import { type ArticleTextDeps, createArticleTexts, isPublished, requireText } from './article-texts.ts'

type Deps = ArticleTextDeps & Pick<DeskDeps, 'database' | 'changes'>

export type ArticleWriting = ReturnType<typeof createArticleWriting>

/** Lets people write articles: saves that readers of a published one don't see, and their publication. */
export function createArticleWriting(deps: Deps) {
  const { database, changes, clock } = deps
  const texts = createArticleTexts(deps)
  const saveText = createSaveText(deps)

  /** Keeps a text that was refused, so that it is found among the versions. */
  async function keepRefused({ editor: by }: Requester, id: string, save: ArticleSave): Promise<void> {
    await database.transaction(async (tx) => {
      const { text: fields } = texts.compare((await readArticleState(tx, id)).text, save)
      await addVersion(tx, { textId: id, kind: 'refused', fields, by, now: clock.now() })
    })
  }

  return {
    async read(id: string): Promise<DeskReply> {
      return versionedReply(toWorkingCopy(await readArticleState(database.db, id)))
    },

    /** Saves fields, which merge with what others saved. Throws `version-conflict` for another text of the same field. */
    async save(
      requester: Requester,
      id: string,
      save: ArticleSave,
      version: number | null,
      how: WrittenHow = 'typed',
    ): Promise<DeskReply> {
      const { memo_content } = save
      const reply = (state: ArticleState, others: { merged: string[]; version?: number }) =>
        cleanedReply({ ...toWorkingCopy(state), ...others }, 200, { memo_content })
      return await commitSave(changes, requester, {
        work: async (tx, audit) => {
          const state = await lockArticleState(tx, id)
          if (version === null) throw fail('version-required')
          const merged = await saveText(tx, requester.editor, state, { save, version, audit, how })
          return reply(await readArticleState(tx, id), { merged })
        },
        replay: async (tx, saved) => {
          const state = await readArticleState(tx, id)
          return reply(state, { merged: mergedFields(state, [], saved), version: saved })
        },
        keepRefused: () => keepRefused(requester, id, save),
      })
    },

    /** Makes the changes of an article public. Throws `incomplete` if readers would miss something. */
    async publish(requester: Requester, id: string, version: number | null): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { editor: by } = requester
        const state = await lockArticleState(tx, id)
        requireVersion(version, state.version)
        const { article, copy, text } = state
        if (copy === null) throw fail('working-copy-not-found')
        requireText(text, id)
        const fields = Object.keys(copy.changed)
        // A script may have changed the same field since the working copy began.
        const publicState = { ...state, fieldVersions: fieldVersionsOf(article.fieldVersions) }
        await refuseClash(publicState, fields, copy.baseVersion, async () => toWorkingCopy(state))
        const compared = texts.compare(text, changedFields(copy))
        const columns = await texts.columnsOf(tx, compared)
        await removeCopy(tx, id)
        const stamp = { fields, atLeast: copy.version, changedAt: copy.changed }
        const stored = await texts.change(tx, by, article, columns, stamp)
        await texts.record(tx, by, stored, article)
        await audit('article.correct', id, { title: text.title, changed: fields })
        return versionedReply(toWorkingCopy(await readArticleState(tx, id)))
      })
    },

    /** Drops the changes that readers don't have. */
    async discard(requester: Requester, id: string, version: number | null): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { article, copy, ...state } = await lockArticleState(tx, id)
        requireVersion(version, state.version)
        if (copy === null) throw fail('working-copy-not-found')
        await removeCopy(tx, id)
        // Saves that are based on the dropped text clash, and those of it that are repeated learn that it is gone.
        const next = { by: requester.editor, fields: Object.keys(copy.changed), atLeast: copy.version }
        const stored = await updateArticle(tx, article, {}, next)
        // Words that are typed from now on are another version, so that the dropped ones stay.
        const [fields, now] = [toArticleText(article), clock.now()]
        await addVersion(tx, { textId: id, kind: 'restored', fields, by: requester.editor, now })
        await texts.tell(tx, requester.editor, stored, false)
        await audit('article.discard', id, { title: state.text.title })
        return replyWith({ id })
      })
    },
  }
}

/** Returns what stores a save, unless it changes nothing. It returns the fields that others saved meanwhile. */
function createSaveText(deps: ArticleTextDeps) {
  const { clock } = deps
  const texts = createArticleTexts(deps)

  return async function saveText(
    tx: Db,
    by: Editor,
    state: ArticleState,
    {
      save,
      version: read,
      audit,
      how,
    }: { save: ArticleSave; version: number; audit: Audit; how: WrittenHow },
  ): Promise<string[]> {
    const { id, article, copy } = state
    const compared = texts.compare(state.text, save)
    const { text, fields } = compared
    await refuseClash(state, fields, read, async () => toWorkingCopy(state))
    if (fields.length > 0) {
      const columns = await texts.columnsOf(tx, compared)
      if (isPublished(article)) {
        const changed = changedCopy(state, compared, by)
        const baseVersion = copy?.baseVersion ?? article.version
        await storeArticleCopy(tx, { ...changed, baseVersion }, clock.now())
        await texts.tell(tx, by, changed, false)
      } else {
        await texts.change(tx, by, article, columns, { fields })
      }
      const session = { textId: id, before: state.text, after: text, by, now: clock.now(), how }
      if (await recordSession(tx, session)) await audit('article.write', id, { title: text.title })
    }
    return mergedFields(state, fields, read)
  }
}

/** Lets people read, compare and restore the versions of articles. */
export function createArticleVersions(deps: Deps & { articleWriting: ArticleWriting }): TextVersions {
  const { database, articleWriting } = deps
  const texts = createArticleTexts(deps)
  return createTextVersions({
    database,
    schema: articleText,
    readText: async (id) => (await readArticleState(database.db, id)).text,
    save: async (requester, id, text, version) =>
      await articleWriting.save(
        requester,
        id,
        await texts.withKnownGroup(database.db, text),
        version,
        'restored',
      ),
  })
}
