// The parts of all import rules.

const api = '^apps/api/src/'
const generated = '^apps/api/src/generated/'
const testCode = [
  '\\.test\\.tsx?$',
  '^apps/api/test/',
  '^apps/web/e2e/',
  '^apps/web/src/testing/',
  '^packages/client/src/testing/',
  '^packages/emulators/src/stripe/testing/',
  '^packages/paste/src/testing/',
]
const tests = [...testCode, '\\.config\\.ts$']

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
function refuse(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to }
}

/** @param {string} library */
function inNodeModules(library) {
  return `node_modules/${library}/`
}

module.exports = { api, generated, inNodeModules, refuse, testCode, tests }
