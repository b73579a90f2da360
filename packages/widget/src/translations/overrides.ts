/** The texts that a page or an app replaces, by the catalog's keys. */
export type Translations = Record<string, string>

type Given = {
  translations?: Translations | undefined
  app?: { translations: Translations } | undefined
}

/** Returns the maps that override the catalog of the language, the winning one first. The app may still be unknown. */
export function overridesOf({ translations, app }: Given): unknown[] {
  return [translations, Reflect.get(window, 'memberstackTranslations'), app?.translations]
}

/** Returns the first override of a key. The maps come from outside and may hold anything. */
export function findOverride(overrides: readonly unknown[], key: string): string | undefined {
  return overrides.map((map) => textIn(map, key)).find((text) => text !== undefined)
}

function textIn(map: unknown, key: string): string | undefined {
  if (typeof map !== 'object' || map === null || !Object.hasOwn(map, key)) return
  const text: unknown = Reflect.get(map, key)
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}
