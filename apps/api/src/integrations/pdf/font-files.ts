import { findPackageJSON } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the path of a font's file. `file` begins with its package: `@expo-google-fonts/figtree/LICENSE`. The build
 * puts the files beside the bundle; the sources read them from the packages.
 */
export function locateFont(file: string): string {
  if (!import.meta.url.endsWith('.ts')) return fileURLToPath(new URL(`fonts/${file}`, import.meta.url))
  const name = fontPackage(file)
  const manifest = findPackageJSON(name, import.meta.url)
  if (manifest === undefined) throw new Error(`The package ${name} is not installed.`)
  return path.join(path.dirname(manifest), file.slice(name.length))
}

/** Returns the name of the package that a font's file is in. */
export function fontPackage(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}
