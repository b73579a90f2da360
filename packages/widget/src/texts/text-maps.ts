import type { ModalParams } from '../dialogs/open-modal.ts'

/** Returns the maps whose texts replace those of the language, the winning one first. The app may still be unknown. */
export function textMaps({ translations, app }: Pick<ModalParams, 'translations' | 'app'>): unknown[] {
  return [translations, Reflect.get(window, 'memberstackTranslations'), app?.translations]
}

/** Returns the text of a key from the first map that has one. The maps come from outside and may hold anything. */
export function findText(maps: readonly unknown[], key: string): string | undefined {
  return maps.map((map) => textIn(map, key)).find((text) => text !== undefined)
}

function textIn(map: unknown, key: string): string | undefined {
  if (typeof map !== 'object' || map === null || !Object.hasOwn(map, key)) return
  const text: unknown = Reflect.get(map, key)
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}
