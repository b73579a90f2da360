import type { TextVersionSummary } from '@tidings/contracts/desk/writing/version-terms'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { fail } from '../desk.errors.ts'
import { type DeskReply, type PageQuery, pageReply, replyWith } from '../desk-reply.ts'
import type { Requester } from '../requests/register-desk.ts'
import { compareTexts } from './compare-texts.ts'
import { findVersion, listVersions, type TextVersionRow } from './text-versions.repository.ts'

type Deps<Text> = {
  database: Database
  schema: z.ZodType<Text>
  /** Returns the text as it is written now. */
  readText: (id: string) => Promise<Text>
  /** Saves a text as if a person had typed it. */
  save: (requester: Requester, id: string, text: Text, version: number | null) => Promise<DeskReply>
}

export type TextVersions = ReturnType<typeof createTextVersions>

/** Lets people read, compare and restore the versions of one kind of text. */
export function createTextVersions<Text extends object>({ database, schema, readText, save }: Deps<Text>) {
  async function textOf(textId: string, id: string) {
    const row = await findVersion(database.db, textId, id)
    if (row === null) throw fail('version-not-found')
    return { row, text: schema.parse(row.fields) }
  }

  return {
    async list(textId: string, { limit, after }: PageQuery): Promise<DeskReply> {
      const rows = await listVersions(database.db, textId, { limit: limit + 1, before: after })
      return pageReply(rows, limit, { map: toSummary, next: ({ id }) => id })
    },

    /** Throws `version-not-found`. */
    async read(textId: string, id: string): Promise<DeskReply> {
      const { row, text } = await textOf(textId, id)
      return replyWith({ ...toSummary(row), fields: text })
    },

    /** Compares a version with a later one, or with the text as it is written now. */
    async compare(textId: string, id: string, later: string | undefined): Promise<DeskReply> {
      const { text: before } = await textOf(textId, id)
      const after = later === undefined ? await readText(textId) : (await textOf(textId, later)).text
      return replyWith(compareTexts(before, after))
    },

    /** Saves the text of a version. */
    async restore(
      requester: Requester,
      { textId, id, version }: { textId: string; id: string; version: number | null },
    ): Promise<DeskReply> {
      const { text } = await textOf(textId, id)
      return await save(requester, textId, text, version)
    },
  }
}

function toSummary({ id, kind, startedAt, endedAt, savedBy }: TextVersionRow): TextVersionSummary {
  return { id, kind, startedAt: startedAt.toISOString(), endedAt: endedAt.toISOString(), savedBy }
}
