// Prints the notes of a release: `node .config/release-notes.ts v0.1.0`. Fails unless the tag, package.json and
// CHANGELOG.md have the same version, so that the changelog decides what is released.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Returns the section of a version in the changelog, without its heading, which has the day of the release:
 * `## 0.1.0 (2026-12-01)`. Throws with what to do when the tag can't be released.
 */
export function releaseNotes(
  tag: string,
  { changelog, version }: { changelog: string; version: string },
): string {
  if (tag !== `v${version}`)
    throw new Error(`The tag ${tag} is not v${version}, the version of package.json. Change one of them.`)
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${version} `))
  const [heading = '', ...lines] = section?.split('\n') ?? []
  if (!/^\S+ \(\d{4}-\d\d-\d\d\)$/.test(heading))
    throw new Error(
      `CHANGELOG.md needs the heading "## ${version} (YYYY-MM-DD)", with the day of the release.`,
    )
  const notes = lines.join('\n').trim()
  if (notes === '') throw new Error(`CHANGELOG.md says nothing about ${version}.`)
  return `${notes}\n`
}

if (import.meta.main) {
  const read = (name: string) => readFileSync(join(root, name), 'utf8')
  const version = /"version": "([^"]+)"/.exec(read('package.json'))?.[1] ?? ''
  try {
    process.stdout.write(releaseNotes(process.argv[2] ?? '', { changelog: read('CHANGELOG.md'), version }))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
