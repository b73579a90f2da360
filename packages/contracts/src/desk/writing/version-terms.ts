import { z } from 'zod'
import { dataOf, pageOf } from '../../envelope.ts'
import { idPage } from '../desk-endpoint.ts'

/** A version of a memo or article without its text. */
export const textVersionSummary = z.object({
  id: z.string(),
  kind: z
    .enum(['first', 'session', 'published', 'refused', 'restored', 'deleted'])
    .describe(
      'first: the text before its first version. session: the end of a typing session. published: what readers got. refused: a text that clashed with another one. restored: an earlier version that was brought back. deleted: the text of a deleted memo or article',
    ),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  savedBy: z.string().describe('The name of the person or key; empty if unknown'),
})
export type TextVersionSummary = z.infer<typeof textVersionSummary>

/** The words of a field in two texts: those of both, those only of the earlier one and those only of the later one. */
const words = z.array(z.object({ kind: z.enum(['same', 'removed', 'added']), text: z.string() }))

export const textComparison = z.object({
  fields: z.array(
    z
      .object({ field: z.string(), before: z.unknown(), after: z.unknown(), words })
      .describe('A field that differs'),
  ),
})
export type TextComparison = z.infer<typeof textComparison>

type Versions<Params extends z.ZodRawShape, Version extends z.ZodType, Copy extends z.ZodType> = {
  text: 'memo' | 'gated article'
  params: z.ZodObject<Params>
  /** Readers of it see a restored version only after its publication. */
  readers: string
  version: Version
  copy: Copy
}

/** Returns the terms of the endpoints for the versions of a kind of text. */
export function versionTerms<
  Params extends z.ZodRawShape,
  Version extends z.ZodType,
  Copy extends z.ZodType,
>({ text, params, readers, version, copy }: Versions<Params, Version, Copy>) {
  const tag = text === 'memo' ? 'Desk: writing' : 'Desk: gated articles'
  const versionParams = params.extend({ version: z.uuid("must be a version's id") })
  return {
    list: {
      tag,
      summary: `Lists the versions of a ${text}, newest first`,
      description: 'Also of a deleted one.',
      scope: 'read',
      params,
      query: idPage,
      reply: pageOf(textVersionSummary),
    },
    read: {
      tag,
      summary: `Returns a version of a ${text}`,
      scope: 'read',
      params: versionParams,
      reply: dataOf(version),
    },
    compare: {
      tag,
      summary: `Compares a version of a ${text} with another one, by fields and words`,
      scope: 'read',
      params: versionParams,
      query: z.strictObject({
        with: z
          .uuid("must be a version's id")
          .optional()
          .describe('The later version; without it, the text as it is written now'),
      }),
      reply: dataOf(textComparison),
    },
    restore: {
      tag,
      summary: `Restores a version of a ${text}`,
      description: `As a save does: readers of ${readers} see nothing of it until the working copy is published.`,
      scope: 'write',
      params: versionParams,
      ifMatch: 'required',
      reply: dataOf(copy),
    },
  } as const
}
