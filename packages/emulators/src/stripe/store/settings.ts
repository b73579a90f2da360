const prefix = 'setting/'

export type Settings = ReturnType<typeof createSettings>

/** Creates the settings of a store, which its journal keeps beside the records. */
export function createSettings(onChange: (name: string, value: unknown) => void) {
  const settings = new Map<string, string>()
  return {
    /** Returns a setting as JSON. */
    get: (name: string) => settings.get(name) ?? null,
    names: () => Array.from(settings.keys()),
    /** Stores a setting; undefined removes it. */
    set(name: string, value: unknown) {
      if (value === undefined) settings.delete(name)
      else settings.set(name, JSON.stringify(value))
      onChange(prefix + name, value)
    },
    /** Restores a value of the journal. Returns false when it is no setting. */
    restore(name: string, json: string): boolean {
      if (!name.startsWith(prefix)) return false
      settings.set(name.slice(prefix.length), json)
      return true
    },
    /** Returns what the journal has to keep. */
    *all(): Iterable<[name: string, value: unknown]> {
      for (const [name, json] of settings) yield [prefix + name, JSON.parse(json)]
    },
  }
}
