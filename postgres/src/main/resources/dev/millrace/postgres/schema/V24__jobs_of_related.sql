-- The jobs of a dialect that belong to a thing of the product's, the newest first. Only jobs that came through a
-- dialect and name such a thing are in it, so that the others write nothing more.
create index job_input_of_related on job_input (
    tenant_id, (notes ->> 'dialect'), (notes #>> '{related,type}'), (notes #>> '{related,id}'), job_id
) where notes ->> 'dialect' is not null and notes #>> '{related,id}' is not null;
