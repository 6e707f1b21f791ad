export { scoreAnswers } from './score-answers.ts'
