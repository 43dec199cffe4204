from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    database_url: str = "postgresql+asyncpg://shop:shop@localhost:5432/shop"
    kafka_bootstrap_servers: str = "localhost:9092"
    orders_topic: str = "orders"
    orders_group: str = "shop-orders"

    # Remember the orders that were counted, and acknowledge them when they are.
    inbox: bool = False


settings = Settings()
