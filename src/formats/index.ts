export { loadAnswers } from './import/answers-file.ts'
export { loadSuite, parseSuite, type LoadedSuite } from './import/suite-file.ts'
