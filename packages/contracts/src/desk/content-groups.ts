import { z } from 'zod'
import { limits } from '../limits.ts'
import { changeOf, groupKey, httpUrl, permissions, plans, visibleLine } from './fields.ts'

const groupName = visibleLine(limits.groupNameCharacters)
const redirect = z
  .union([
    z.literal(''),
    httpUrl,
    z
      .string()
      .max(limits.sourceCharacters)
      .regex(/^\/(?![/\\])[^\s\\\p{Cc}\p{Cs}]*$/u, 'must be a URL, or a path that begins with one slash'),
  ])
  .describe('The page for visitors without access')

const groupKeys = { key: groupKey, name: groupName, permissions, plans, redirect }

export const contentGroupDraft = z.strictObject({
  ...groupKeys,
  permissions: permissions.default([]),
  plans: plans.default([]),
  redirect: redirect.default(''),
})
export type ContentGroupDraft = z.infer<typeof contentGroupDraft>

export const contentGroupChange = changeOf(groupKeys)
export type ContentGroupChange = z.infer<typeof contentGroupChange>

export const deskContentGroup = z.object({
  id: z.string().describe('grp_…'),
  key: z.string(),
  name: z.string(),
  permissions: z.array(z.string()),
  plans: z.array(z.string()),
  redirect: z.string(),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type DeskContentGroup = z.infer<typeof deskContentGroup>
