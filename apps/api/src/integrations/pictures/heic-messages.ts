import { z } from 'zod'

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

export const heicRequest = z.object({
  bytes,
  /** The box that the result fits in. */
  width: z.number(),
  height: z.number().optional(),
  maxPixels: z.number(),
})
export type HeicRequest = z.infer<typeof heicRequest>

export const heicResult = z.union([
  z.object({ problem: z.literal('too-many-pixels') }),
  /** The size is the upright original's. The picture is smaller and has the original's profile. */
  z.object({ width: z.number(), height: z.number(), png: bytes }),
])
export type HeicResult = z.infer<typeof heicResult>
