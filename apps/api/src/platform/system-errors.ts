/** Returns whether an error has one of these codes, as Node and its libraries set them. */
export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}

/** Returns what was read; `otherwise` if there is no such file. */
export async function orWhenMissing<T, U>(reading: Promise<T>, otherwise: U): Promise<T | U> {
  return await reading.catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return otherwise
    throw error
  })
}
