import manifest from '../package.json' with { type: 'json' }

/** The version of the code that runs. */
export const { version } = manifest
