// A sheet is imported for what it does, not for what it gives.
declare module '*.css';
