rm -r functions/todo.ts tests/functions/todo
cp -r tests/own/lamps/functions tests/own/lamps/tests .
perl -pi -e 's/todo/lamp/g' functions/routes.ts
npx biome check --write functions
npm pkg set name=lamp-service title="Lamp Service" description="Keeps lamps that are on or off."
grep -rl todo-item-service --exclude=your-own.md docs | xargs perl -pi -e 's/todo-item-service/lamp-service/g'
npm run docs
