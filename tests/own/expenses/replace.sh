rm -r functions/todo.ts tests/functions/todo
cp -r tests/own/expenses/functions tests/own/expenses/tests .
perl -pi -e 's/todo/expense/g' functions/routes.ts
npx biome check --write functions
npm pkg set name=expense-service title="Expense Service" description="Keeps what somebody has paid."
grep -rl todo-item-service --exclude=your-own.md docs | xargs perl -pi -e 's/todo-item-service/expense-service/g'
npm run docs
