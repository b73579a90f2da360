import { z } from 'zod'
import type { Metadata } from '../store/common.ts'
import { emptyable } from './params.ts'

const metadataValue = z.string().max(500, 'Metadata values can have up to 500 characters.')
const metadataKey = z.string().min(1).max(40, 'Metadata keys can have up to 40 characters.')

/** Null unsets all of it; an empty value unsets its key. See `changeMetadata`. */
export const metadata = emptyable(z.record(metadataKey, metadataValue))

/** The metadata of something new. */
export function newMetadata(given: Metadata | null | undefined): Metadata {
  return changeMetadata({}, given)
}

/** The metadata after a change: what is not named stays. */
export function changeMetadata(current: Metadata, change: Metadata | null | undefined): Metadata {
  if (change === undefined) return current
  if (change === null) return {}
  return Object.fromEntries(Object.entries({ ...current, ...change }).filter(([, value]) => value !== ''))
}
